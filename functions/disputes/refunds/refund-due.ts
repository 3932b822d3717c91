import * as v from 'valibot';
import { defineDue, type Row, Slot, whenTimed } from '#core/platform/work/due.ts';

/** See what became of this alert's refund at its merchant's own processor. `slot`: the check it was sent for. */
export const RefundMessage = v.object({ alertId: v.number(), slot: v.optional(Slot) });
export type RefundMessage = v.InferOutput<typeof RefundMessage>;

const alertRefundBody = ({ id }: Row) => ({ alertId: Number(id) });

/** A refund at a merchant's own processor is looked at when it is time to ask that processor. */
export const refundDue = defineDue({
  kind: 'REFUND',
  queue: 'refunds',
  message: RefundMessage,
  swept: alertRefundBody,
  wakes: { REFUND: whenTimed('nextCheckAt', (row, slot) => ({ ...alertRefundBody(row), slot })) },
});
