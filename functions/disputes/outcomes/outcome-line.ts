import type { NetworkOutcome } from '#disputes/alerts/answer/network-outcome.ts';
import {
  expireOutcome,
  isInDoubt,
  isTooLate,
  isVisitDue,
  leftToPerson,
  recordVisit,
  supersede,
} from './outcome-changes.ts';

/** The facts about an alert apart from its outcomes. */
export type Circumstances = {
  /** Its provider has withdrawn the case, and receives nothing more. */
  isWithdrawn: boolean;
  /** Its merchant's answer is final; once its provider has opened the case again, the alert no longer counts as answered. */
  isAnswered: boolean;
  /** This deployment can call the provider. */
  isConnected: boolean;
};

/** The actions that are due for an alert's outcomes now. */
export type LinePlan = {
  /** The outcomes that change without being sent, as they are afterwards. */
  changes: readonly NetworkOutcome[];
  /** The one to send now; null: none. */
  head: NetworkOutcome | null;
  /** When to look again (ISO), because another worker is busy with it; null: its next message comes by itself. */
  again: string | null;
};

/**
 * Checks whether it is the final answer to a case that has since been taken back and opened again: an alert has one final answer at a time,
 * the latest.
 */
const isOutdated = ({ isFinal }: NetworkOutcome, isLast: boolean, { isAnswered }: Circumstances): boolean =>
  isFinal && !(isLast && isAnswered);

const isLeased = ({ lease }: NetworkOutcome, at: string): boolean => lease !== null && lease.until > at;

type Around = { final: NetworkOutcome | undefined; isLast: boolean };

const changeOutcome = (
  outcome: NetworkOutcome,
  { final, isLast }: Around,
  about: Circumstances,
  at: string,
): NetworkOutcome | null => {
  const { state, isFinal } = outcome;
  const isPending = state === 'PENDING' && !isLeased(outcome, at);
  const isWaiting = isPending || state === 'MANUAL';
  // An outcome that the provider may have taken is not superseded: it is sent again, or a person says what became of it.
  if (isWaiting && !isFinal && final && (about.isWithdrawn || !isInDoubt(outcome))) {
    return supersede(outcome, 'A final answer came before it was sent', at);
  }
  if (isWaiting && isOutdated(outcome, isLast, about)) {
    return supersede(outcome, 'The provider has opened the case again', at);
  }
  if (isPending && about.isWithdrawn) return supersede(outcome, 'The provider has taken the case back', at);
  if (isPending && !about.isConnected) return leftToPerson(outcome, at);
  if (isPending && isTooLate(outcome, at)) return expireOutcome(outcome, at);
  return isVisitDue(outcome, at) ? recordVisit(outcome, at) : null;
};

/**
 * Returns the actions at a time (ISO) for all the outcomes of one alert, in order. They are sent one after the other: none is sent while an
 * earlier one may still change what the provider has. A final one need not wait for those that were surely not accepted: they are no longer
 * sent.
 */
export const planLine = (line: readonly NetworkOutcome[], about: Circumstances, at: string): LinePlan => {
  const last = line.at(-1);
  const final = last?.isFinal ? last : undefined;
  const after = line.map((outcome) => changeOutcome(outcome, { final, isLast: outcome === last }, about, at));
  const changes = after.filter((outcome) => outcome !== null);
  const head = line.map((outcome, index) => after[index] ?? outcome).find(({ state }) => state === 'PENDING');
  if (!head) return { changes, head: null, again: null };
  if (head.lease && isLeased(head, at)) return { changes, head: null, again: head.lease.until };
  const isDue = head.nextAttemptAt !== null && head.nextAttemptAt <= at;
  return { changes, head: isDue ? head : null, again: null };
};
