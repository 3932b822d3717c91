import { iso, milliseconds } from '#core/kernel/clock.ts';
import type { NetworkOutcome, OutcomeAttempt, OutcomeMark } from '#disputes/alerts/answer/network-outcome.ts';

/** The state transitions of an outcome: pure functions that are given the time (ISO). */

const { minute, hour } = milliseconds;

const latest = (left: string, right: string): string => (left < right ? right : left);

/** When it is tried, counted from its start; then every full hour. */
const firstTries: readonly number[] = [0, minute, 5 * minute, 15 * minute, 30 * minute];

/** The time by which an attempt that was due in time may begin late: a queue may delay it by this much. */
const grace = 15 * minute;

/** The longest pause that a provider may ask for: a bogus one must not hold back an outcome until it is useless. */
const longestPause = 12 * hour;

/** The first try later than a time (ISO); null: there is none before it expires. */
export const nextTry = ({ startedAt, expiresAt }: Pick<NetworkOutcome, 'startedAt' | 'expiresAt'>, after: string) => {
  const passed = Date.parse(after) - Date.parse(startedAt);
  const offset = firstTries.find((one) => one > passed) ?? (Math.floor(passed / hour) + 1) * hour;
  const next = iso(Date.parse(startedAt) + offset);
  return next <= expiresAt ? next : null;
};

/** Checks whether it is too late to begin an attempt. */
export const isTooLate = ({ expiresAt }: Pick<NetworkOutcome, 'expiresAt'>, at: string): boolean =>
  Date.parse(at) > Date.parse(expiresAt) + grace;

/**
 * The outcome with what follows from its state at a time: a settled one waits for nothing, one that the provider has taken is
 * no longer late, and everything due by now is done in this same write (see outcome-effects.ts).
 */
const applyState = (outcome: NetworkOutcome, at: string): NetworkOutcome => {
  const { state, nextAttemptAt, statusDueAt, lateAt } = outcome;
  const isPending = state === 'PENDING';
  const isSafe = state === 'ACCEPTED' || state === 'SUPERSEDED';
  return {
    ...outcome,
    nextAttemptAt: isPending ? nextAttemptAt : null,
    statusDueAt: isPending && statusDueAt !== null && statusDueAt > at ? statusDueAt : null,
    lateAt: !isSafe && lateAt !== null && lateAt > at ? lateAt : null,
    version: outcome.version + 1,
  };
};

/** Checks whether its status update or its alarm is due. */
export const isVisitDue = ({ statusDueAt, lateAt }: NetworkOutcome, at: string): boolean =>
  (statusDueAt !== null && statusDueAt <= at) || (lateAt !== null && lateAt <= at);

/** The outcome after a visit that sends nothing. */
export const recordVisit = (outcome: NetworkOutcome, at: string): NetworkOutcome => applyState(outcome, at);

/** Checks whether its provider may have it without our knowing. A later attempt that surely failed says nothing about an earlier one. */
export const isInDoubt = ({ lease, hasUnknownAttempt }: NetworkOutcome): boolean => lease !== null || hasUnknownAttempt;

/** The outcome without the lease of an attempt that was cut off; the doubt about that attempt remains. */
const releaseLease = (outcome: NetworkOutcome): NetworkOutcome => ({
  ...outcome,
  lease: null,
  hasUnknownAttempt: isInDoubt(outcome),
});

/** The outcome while it is being sent. */
export const outcomeWithLease = (outcome: NetworkOutcome, attemptId: string, until: string): NetworkOutcome => ({
  ...outcome,
  lease: { attemptId, until },
  // An earlier lease belongs to an attempt that was cut off.
  hasUnknownAttempt: isInDoubt(outcome),
  version: outcome.version + 1,
});

const maxAttempts = 20;

/** A pause that a provider asks for with an answer, in seconds; null: none. */
export type Pause = number | null;

/** The outcome after an attempt: settled, or with its next try, which the provider may have postponed. */
export const outcomeAfterAttempt = (
  outcome: NetworkOutcome,
  attempt: OutcomeAttempt,
  pauseSeconds: Pause,
  at: string,
): NetworkOutcome => {
  const tried: NetworkOutcome = {
    ...outcome,
    lease: null,
    attempts: [...outcome.attempts, attempt].slice(-maxAttempts),
    attemptCount: outcome.attemptCount + 1,
    hasUnknownAttempt: outcome.hasUnknownAttempt || attempt.result === 'unknown',
    error: attempt.error,
  };
  if (attempt.result === 'accepted')
    return applyState({ ...tried, state: 'ACCEPTED', acceptedAt: at, error: null }, at);
  // Only a final answer can be refused: the final one follows whatever a network says to an interim one.
  if (attempt.result === 'refused' && !outcome.isFinal)
    return applyState({ ...tried, state: 'SUPERSEDED', error: `It takes no interim answer: ${attempt.error}` }, at);
  if (attempt.result === 'refused') return applyState({ ...tried, state: 'REFUSED' }, at);
  const pause = Math.min((pauseSeconds ?? 0) * milliseconds.second, longestPause);
  const earliest = iso(Date.parse(at) + pause);
  // It may have begun a second before its time, and must not be repeated.
  const next = nextTry(tried, latest(at, outcome.nextAttemptAt ?? at));
  if (next === null || earliest > tried.expiresAt) return applyState({ ...tried, state: 'EXPIRED' }, at);
  return applyState({ ...tried, nextAttemptAt: latest(next, earliest) }, at);
};

/** The outcome, no longer to be sent. `why`: in words. */
export const supersede = (outcome: NetworkOutcome, why: string, at: string): NetworkOutcome =>
  applyState({ ...releaseLease(outcome), state: 'SUPERSEDED', error: why }, at);

/** The outcome whose time is over. */
export const expireOutcome = (outcome: NetworkOutcome, at: string): NetworkOutcome =>
  applyState(
    { ...releaseLease(outcome), state: 'EXPIRED', error: outcome.error ?? 'It could not be sent in time' },
    at,
  );

/** The outcome that a person has to enter at the provider. */
export const leftToPerson = (outcome: NetworkOutcome, at: string): NetworkOutcome =>
  applyState({ ...releaseLease(outcome), state: 'MANUAL', error: 'No connection to the provider is set up' }, at);

/** Checks whether a person may say what became of it at the provider. */
export const takesMark = ({ state }: NetworkOutcome): boolean =>
  state === 'MANUAL' || state === 'REFUSED' || state === 'EXPIRED';

/** The outcome as a person has found or entered it at the provider. */
export const mark = (outcome: NetworkOutcome, state: 'ACCEPTED' | 'REFUSED', mark: OutcomeMark): NetworkOutcome =>
  applyState(
    {
      ...outcome,
      state,
      mark,
      acceptedAt: state === 'ACCEPTED' ? mark.at : null,
      error: state === 'ACCEPTED' ? null : mark.note || 'Refused, as a person found',
    },
    mark.at,
  );

/** Checks whether it can be sent (again): not if the provider has it, or must not get it. */
export const takesReplay = ({ state }: NetworkOutcome): boolean => state !== 'ACCEPTED' && state !== 'SUPERSEDED';

/** Returns the outcome with a due try; its tries are counted from zero. */
export const replay = (outcome: NetworkOutcome, at: string): NetworkOutcome => ({
  ...outcome,
  state: 'PENDING',
  startedAt: at,
  nextAttemptAt: at,
  expiresAt: latest(outcome.expiresAt, iso(Date.parse(at) + hour)),
  mark: null,
  version: outcome.version + 1,
});
