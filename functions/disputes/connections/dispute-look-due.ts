import * as v from 'valibot';
import { defineDue } from '#core/platform/work/due.ts';

/** Look for new disputes at a connection; or see, from a position on, which connections have not been looked at yet. */
export const DisputeLookMessage = v.union([
  v.object({ lookId: v.string() }),
  v.object({ looksAfter: v.nullable(v.string()) }),
]);

/** A connection is checked for disputes every day. Each sweep also starts the checks that were not begun. */
export const disputeLookDue = defineDue({
  kind: 'DISPUTE_LOOK',
  queue: 'chargebacks',
  message: DisputeLookMessage,
  swept: ({ id }) => ({ lookId: String(id) }),
  everySlot: [{ looksAfter: null }],
});
