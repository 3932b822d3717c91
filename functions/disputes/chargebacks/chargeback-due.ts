import * as v from 'valibot';
import { defineDue } from '#core/platform/work/due.ts';

/** Ask a processor about a chargeback that is not over. */
export const ChargebackMessage = v.object({ chargebackId: v.string() });

/** A chargeback is looked at until it is over. */
export const chargebackDue = defineDue({
  kind: 'CHARGEBACK',
  queue: 'chargebacks',
  message: ChargebackMessage,
  swept: ({ id }) => ({ chargebackId: String(id) }),
});
