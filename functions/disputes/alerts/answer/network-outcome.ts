import { iso, milliseconds } from '#core/kernel/clock.ts';
import { type OutcomeProviderName, outcomeLetterOf, outcomeProviders } from '#disputes/providers/providers.ts';
import { type Alert, isInformational } from '../alert.ts';
import type { AlertUpdate } from './alert-update.ts';

/**
 * SUPERSEDED: no longer sent, because a final outcome overtook it or the provider withdrew its case. MANUAL: this deployment has
 * no connection to the provider, so a person enters the outcome there and marks it.
 */
export const outcomeStates = ['PENDING', 'ACCEPTED', 'REFUSED', 'EXPIRED', 'SUPERSEDED', 'MANUAL'] as const;
type OutcomeState = (typeof outcomeStates)[number];

/**
 * The result of one attempt. `failed`: certainly not accepted, and sent again; `unknown`: it may have been accepted, and is sent
 * again too, which both providers tolerate.
 */
export const attemptResults = ['accepted', 'refused', 'failed', 'unknown'] as const;

export type OutcomeAttempt = {
  /** Tells this attempt from others when a reply of the table is lost. */
  id: string;
  /** ISO. */
  at: string;
  result: (typeof attemptResults)[number];
  /** The HTTP status; null if no reply came. */
  status: number | null;
  /** Why the outcome was not accepted, in words; null if it was. */
  error: string | null;
};

/** The person who marked an outcome that was entered by hand. */
export type OutcomeMark = { by: string; at: string; note: string };

/**
 * The message to a provider for each update of one of its alerts. The transaction that accepts the update writes the row, which then
 * follows the message until the provider has accepted it, refused it permanently, or need not receive it.
 */
export type NetworkOutcome = {
  id: string;
  alertId: number;
  /** Which of the alert's outcomes it is, from 1: they are sent in this order. */
  number: number;
  provider: OutcomeProviderName;
  caseId: string;
  sid: number;
  mid: number;
  /** True if it ends the alert. At most one does, and it is the last. */
  isFinal: boolean;
  /** All that the merchant has stated about the alert so far; the provider receives this. */
  update: AlertUpdate;
  /** The content of this update; the status update repeats it. */
  sent: AlertUpdate;
  state: OutcomeState;
  /** ISO, when the update was accepted. */
  createdAt: string;
  /** When its attempts began: at its creation, or at the last replay. */
  startedAt: string;
  /** After this time (ISO) it is no longer tried. */
  expiresAt: string;
  /** The time of the next attempt; null exactly when the state is not PENDING. */
  nextAttemptAt: string | null;
  /** Until when the merchant's status update waits for it; null: it no longer waits, or there is none. */
  statusDueAt: string | null;
  /** When it raises an alarm if the provider has not accepted it; null: never, or it already has. */
  lateAt: string | null;
  lease: { attemptId: string; until: string } | null;
  /** The newest. */
  attempts: readonly OutcomeAttempt[];
  attemptCount: number;
  /** True if any attempt so far may have arrived without our knowing: its result is `unknown`, or it was cut off. */
  hasUnknownAttempt: boolean;
  acceptedAt: string | null;
  /** The latest reason why it has not been accepted. */
  error: string | null;
  mark: OutcomeMark | null;
  /** Goes up with every write. */
  version: number;
};

const { minute, hour } = milliseconds;

/** The time for which the merchant's status update waits for its provider. */
const statusPatience = hour;
/** The time after the alert's receipt for which an outcome is tried; one of a late update is still tried for `triedAtLeast`. */
const triedFor = 72 * hour;
const triedAtLeast = hour;
/** The time before the alert's deadline by which a final outcome must be accepted; a later one still has `lateAtLeast`. */
const lateBefore = 2 * hour;
const lateAtLeast = 15 * minute;

/** The identifier of one of an alert's outcomes. It names the provider, so that the sweep that finds it due knows the queue. */
export const outcomeIdOf = (provider: OutcomeProviderName, alertId: number, number: number): string =>
  `out_${outcomeLetterOf(provider)}_${alertId}_${number}`;

/** Reads an identifier; undefined if it is not one of Forewarn's. */
export const readOutcomeId = (
  id: string,
): { provider: OutcomeProviderName; alertId: number; number: number } | undefined => {
  const [, letter, alertId = '', number = ''] = /^out_([a-z])_([1-9]\d{0,15})_([1-9]\d{0,5})$/.exec(id) ?? [];
  const provider = outcomeProviders.find((name) => outcomeLetterOf(name) === letter);
  return provider && { provider, alertId: Number(alertId), number: Number(number) };
};

/** Returns the identifiers of all outcomes of an alert, in order. */
export const outcomeIdsOf = (alert: Alert): string[] => {
  const provider = toldProvider(alert);
  return provider
    ? Array.from({ length: alert.outcomes }, (_, index) => outcomeIdOf(provider, alert.alertId, index + 1))
    : [];
};

/** Returns the provider that must receive an alert's outcome; null: none. */
export const toldProvider = ({
  providerAlert,
  owner,
}: Pick<Alert, 'providerAlert' | 'owner'>): OutcomeProviderName | null => {
  if (!owner || providerAlert.test || providerAlert.type === 'DISPUTE_RDR' || isInformational(providerAlert.type))
    return null;
  return outcomeProviders.find((name) => name === providerAlert.provider) ?? null;
};

const later = (left: number, right: number): string => iso(Math.max(left, right));

/** Providers are not told who made a refund. */
const toOutgoing = ({ refunded_by, ...update }: AlertUpdate): AlertUpdate => update;

/**
 * Creates the outcome for an update that was just accepted; null if there is none to send. `alert` is the alert after the update, with this
 * outcome counted; `wantsStatus`: its status update must be sent. `at`: ISO.
 */
export const createOutcome = (
  alert: Alert,
  sent: AlertUpdate,
  wantsStatus: boolean,
  at: string,
): NetworkOutcome | null => {
  const provider = toldProvider(alert);
  const { alertId, owner, outcomes: number, providerAlert, receivedAt, deadlineAt } = alert;
  if (!provider || !owner) return null;
  const [time, received] = [Date.parse(at), Date.parse(receivedAt)];
  const isFinal = sent.status === 'RESOLVED' || sent.status === 'DECLINED';
  const isWatched = isFinal && deadlineAt !== null;
  return {
    id: outcomeIdOf(provider, alertId, number),
    alertId,
    number,
    provider,
    caseId: providerAlert.caseId,
    sid: owner.sid,
    mid: owner.mid,
    isFinal,
    update: toOutgoing(alert.update ?? sent),
    sent,
    state: 'PENDING',
    createdAt: at,
    startedAt: at,
    expiresAt: later(received + triedFor, time + triedAtLeast),
    nextAttemptAt: at,
    statusDueAt: wantsStatus ? iso(time + statusPatience) : null,
    lateAt: isWatched ? later(Date.parse(deadlineAt) - lateBefore, time + lateAtLeast) : null,
    lease: null,
    attempts: [],
    attemptCount: 0,
    hasUnknownAttempt: false,
    acceptedAt: null,
    error: null,
    mark: null,
    version: 1,
  };
};

/** Checks whether its provider certainly does not have it. */
export const isUntold = ({ state, attemptCount, lease }: NetworkOutcome): boolean =>
  state === 'PENDING' && attemptCount === 0 && lease === null;

/** The outcome of an answer that was withdrawn before the provider had it: it is no longer sent, and the merchant gets no status update. */
export const withdrawOutcome = (outcome: NetworkOutcome): NetworkOutcome => ({
  ...outcome,
  state: 'SUPERSEDED',
  nextAttemptAt: null,
  statusDueAt: null,
  lateAt: null,
  error: 'The refund came to nothing',
  version: outcome.version + 1,
});

/** Sweeps begin at 00:00 and 12:00 UTC. */
const sweepMilliseconds = 12 * hour;

const earliest = (times: readonly (string | null)[]): string | null =>
  times.reduce((first, time) => (first === null || (time !== null && time < first) ? time : first), null);

/** Returns when an outcome must be checked next (ISO); null: never. */
export const visitAt = ({ nextAttemptAt, statusDueAt, lateAt }: NetworkOutcome): string | null =>
  earliest([nextAttemptAt, statusDueAt, lateAt]);

/**
 * From when sweeps have to look at it (ISO). An alarm before a deadline is left to the last sweep before its time: the next
 * would be too late.
 */
export const outcomeSweptFrom = ({ nextAttemptAt, statusDueAt, lateAt }: NetworkOutcome): string | null =>
  earliest([
    nextAttemptAt,
    statusDueAt,
    lateAt && iso(Math.floor(Date.parse(lateAt) / sweepMilliseconds) * sweepMilliseconds),
  ]);

/** The latest outcome as an alert's details show it. */
export const toProviderOutcomeDto = ({ id, state, attempts, acceptedAt, attemptCount, error }: NetworkOutcome) => ({
  id,
  state,
  sent_at: attempts.at(-1)?.at ?? null,
  accepted_at: acceptedAt,
  attempts: attemptCount,
  error,
});
