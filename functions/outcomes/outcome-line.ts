import type { Outcome } from '../alerts/answer/outcome.ts';
import { expired, isInDoubt, isTooLate, isVisitDue, leftToPerson, superseded, visited } from './outcome-changes.ts';

/** What is known of an alert beside its outcomes. */
export type Circumstances = {
  /** Its provider has taken the case back, and is owed nothing more. */
  isWithdrawn: boolean;
  /** Its merchant's answer is final; an alert whose case its provider has opened again is not answered any more. */
  isAnswered: boolean;
  /** This deployment can call the provider. */
  isConnected: boolean;
};

/** What is to be done about an alert's outcomes now. */
export type LinePlan = {
  /** Those that change without being sent, as they are then. */
  changes: readonly Outcome[];
  /** The one that is to be sent now; null: none. */
  head: Outcome | null;
  /** When to look again (ISO), as another worker has it; null: its next message comes by itself. */
  again: string | null;
};

/**
 * Whether it is the final answer to a case that has been taken back and opened again since: one alert has one final answer at a time, the
 * last thing that was said of it.
 */
const isOutdated = ({ isFinal }: Outcome, isLast: boolean, { isAnswered }: Circumstances): boolean =>
  isFinal && !(isLast && isAnswered);

const isLeased = ({ lease }: Outcome, at: string): boolean => lease !== null && lease.until > at;

type Around = { final: Outcome | undefined; isLast: boolean };

const change = (outcome: Outcome, { final, isLast }: Around, about: Circumstances, at: string): Outcome | null => {
  const { state, isFinal } = outcome;
  const isPending = state === 'PENDING' && !isLeased(outcome, at);
  const isWaiting = isPending || state === 'MANUAL';
  // What may have been taken was not overtaken: it is sent again, or a person says what became of it.
  if (isWaiting && !isFinal && final && (about.isWithdrawn || !isInDoubt(outcome))) {
    return superseded(outcome, 'A final answer came before it was sent', at);
  }
  if (isWaiting && isOutdated(outcome, isLast, about)) {
    return superseded(outcome, 'The provider has opened the case again', at);
  }
  if (isPending && about.isWithdrawn) return superseded(outcome, 'The provider has taken the case back', at);
  if (isPending && !about.isConnected) return leftToPerson(outcome, at);
  if (isPending && isTooLate(outcome, at)) return expired(outcome, at);
  return isVisitDue(outcome, at) ? visited(outcome, at) : null;
};

/**
 * What is to be done at a time (ISO) about the outcomes of one alert, all of them, in order. They go one after the other: none
 * is sent while one before it may still change what the provider has. A final one need not wait for what was surely not
 * taken: that is not sent any more.
 */
export const planLine = (line: readonly Outcome[], about: Circumstances, at: string): LinePlan => {
  const last = line.at(-1);
  const final = last?.isFinal ? last : undefined;
  const after = line.map((outcome) => change(outcome, { final, isLast: outcome === last }, about, at));
  const changes = after.filter((outcome) => outcome !== null);
  const head = line.map((outcome, index) => after[index] ?? outcome).find(({ state }) => state === 'PENDING');
  if (!head) return { changes, head: null, again: null };
  if (head.lease && isLeased(head, at)) return { changes, head: null, again: head.lease.until };
  const isDue = head.nextAttemptAt !== null && head.nextAttemptAt <= at;
  return { changes, head: isDue ? head : null, again: null };
};
