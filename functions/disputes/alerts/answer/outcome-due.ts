import * as v from 'valibot';
import { milliseconds } from '#core/kernel/clock.ts';
import { defineDue, type Row, type RowChange, Slot } from '#core/platform/work/due.ts';
import { outcomeQueueOf, outcomeQueues } from '#disputes/providers/providers.ts';
import { readOutcomeId } from './network-outcome.ts';

/**
 * Sends this alert's next outcome to its provider, if that is due. `at` (ISO): the time for which the message was sent; a sweep's has none.
 */
export const OutcomeMessage = v.object({ alertId: v.number(), at: v.optional(Slot) });
export type OutcomeMessage = v.InferOutput<typeof OutcomeMessage>;

const OutcomeMessageText = v.pipe(v.string(), v.parseJson(), OutcomeMessage);

/** Reads a message's text before it is handled, to see what a batch is about; undefined if it is not such a message. */
export const readOutcomeMessage = (text: string): OutcomeMessage | undefined => {
  const read = v.safeParse(OutcomeMessageText, text);
  return read.success ? read.output : undefined;
};

const readName = ({ id }: Row) => {
  const name = readOutcomeId(String(id));
  if (!name) throw new Error(`${id} is no outcome`);
  return name;
};

/** The longest time that a visit waits in the queue; the next sweep finds any that is later. */
const waitedFor = 12 * milliseconds.hour;

/**
 * An outcome states when its provider must be notified, or asked about it. When an outcome that was not final is done, the next one of its
 * alert may be waiting for that.
 */
const messagesForProvider = ({ before, after }: RowChange, now: string) => {
  const { alertId } = readName(after);
  const at = after['visitAt'];
  const isNews = typeof at === 'string' && before?.['visitAt'] !== at && Date.parse(at) - Date.parse(now) <= waitedFor;
  const isDone = before?.['state'] === 'PENDING' && after['state'] !== 'PENDING' && after['isFinal'] !== true;
  return [...(isNews ? [{ body: { alertId, at }, at }] : []), ...(isDone ? [{ body: { alertId, at: now } }] : [])];
};

/** An outcome is due to a provider, the status update to its merchant, or the alarm about it to the operator. */
export const outcomeDue = defineDue({
  kind: 'OUTCOME',
  queue: { all: outcomeQueues, of: (row) => outcomeQueueOf(readName(row).provider) },
  message: OutcomeMessage,
  swept: (row) => ({ alertId: readName(row).alertId }),
  wakes: { OUTCOME: { messages: messagesForProvider } },
});
