import * as v from 'valibot';
import { defineDue } from '#core/platform/work/due.ts';

/** Records this look-up of an order, whose shape is in lookup-row.ts; or finds the result of a recorded one. */
export const LookupMessage = v.union([
  v.object({ lookup: v.record(v.string(), v.unknown()) }),
  v.object({ lookupId: v.string() }),
]);

/** An open look-up is settled once it counts as deflected. */
export const lookupDue = defineDue({
  kind: 'LOOKUP',
  queue: 'lookups',
  message: LookupMessage,
  swept: ({ id }) => ({ lookupId: String(id) }),
});
