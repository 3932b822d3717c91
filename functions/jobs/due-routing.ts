import { type Due, dueAt, dueKindOf, type Outgoing, type Row } from '#core/platform/work/due.ts';
import { dues } from './registered-dues.ts';

/** A change of a row; undefined if the row did not exist before, or does not exist after. */
type Change = { before: Row | undefined; after: Row | undefined };

const wakes = dues.flatMap((due) => due.wakes);

/** The entities whose writes call for messages. */
export const wakingEntities = [...new Set(wakes.map(({ entity }) => entity))];

/** Those of which only new rows do. */
export const newOnlyEntities = wakingEntities.filter((entity) =>
  wakes.every((wake) => wake.entity !== entity || wake.isNewOnly),
);

const dueQueues = (some: readonly Due[]) => [...new Set(some.flatMap(({ queues }) => queues))];
/** The queues that get messages after writes. */
export const wakingQueues = dueQueues(dues.filter((due) => due.wakes.length > 0));
/** The queues that get messages of a sweep. */
export const sweptQueues = dueQueues(dues);

/** The messages that a write of the table calls for. `now`: ISO. */
export const messagesFor = ({ before: replaced, after }: Change, now: string): Outgoing[] => {
  if (!after) return [];
  const before = replaced?.['entity'] === after['entity'] ? replaced : undefined;
  return wakes
    .filter(({ entity }) => entity === after['entity'])
    .flatMap((wake) => wake.messages({ before, replaced, after }, now));
};

const byKind: ReadonlyMap<string, Due> = new Map(dues.map((due) => [due.kind, due]));

/** The message for one row of the `due` index. Throws if no row is declared that becomes due as that kind. */
export const dueMessage = (row: Row, slot: string): Outgoing => {
  const due = byKind.get(dueKindOf(row));
  if (!due) throw new Error(`No row is declared that becomes due as ${dueKindOf(row)}`);
  return due.sweptMessage(row, slot);
};

/** The messages that every sweep sends, whatever is due. */
export const slotMessages = dues.flatMap((due) => due.slotMessages);

/** Returns for how many seconds the oldest pending delivery of a page has been due at the slot; undefined without deliveries. */
export const oldestSeconds = (rows: readonly Row[], slot: string): number | undefined => {
  const oldest = rows.find((row) => dueKindOf(row) === 'DELIVERY');
  return oldest && Math.max(0, (Date.parse(slot) - Date.parse(dueAt(oldest))) / 1000);
};

/** The longest that a row waits for the next sweep. */
const slotMilliseconds = 12 * 3600 * 1000;

/** Counts the rows that were already due at the previous slot: that sweep, or what it started, has failed. */
export const countOverdue = (rows: readonly Row[], slot: string): number =>
  rows.filter((row) => Date.parse(slot) - Date.parse(dueAt(row)) >= slotMilliseconds).length;
