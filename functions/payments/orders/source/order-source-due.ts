import * as v from 'valibot';
import { defineDue, dueAt, Slot, whenTimed } from '#core/platform/work/due.ts';

/** Read the orders of this site's shop. `slot`: the run that the message is for; a message for another run is ignored. */
export const OrderSourceMessage = v.object({ orderSource: v.number(), slot: Slot });

/** The shop that a site's orders are imported from is read every 15 minutes. */
export const orderSourceDue = defineDue({
  kind: 'ORDER_SOURCE',
  queue: 'imports',
  message: OrderSourceMessage,
  group: ({ orderSource }) => `order-source-${orderSource}`,
  swept: (row) => ({ orderSource: Number(row['id']), slot: dueAt(row) }),
  wakes: { ORDER_SOURCE: whenTimed('nextAt', ({ id }, slot) => ({ orderSource: Number(id), slot })) },
});
