import { iso, milliseconds } from '../../core/clock.ts';
import { type OutcomeProviderName, outcomeLetterOf, outcomeProviders } from '../../providers/providers.ts';
import { type Alert, isInformational } from '../alert.ts';
import type { AlertUpdate } from './alert-update.ts';

/**
 * SUPERSEDED: not sent any more, as a final one overtook it or the provider took its case back. MANUAL: this deployment has
 * no connection to the provider, so a person enters it there and marks it. The rest says what it says.
 */
export const outcomeStates = ['PENDING', 'ACCEPTED', 'REFUSED', 'EXPIRED', 'SUPERSEDED', 'MANUAL'] as const;
export type OutcomeState = (typeof outcomeStates)[number];

/**
 * What came of one sending. `failed`: surely not taken, and to be sent again; `unknown`: nobody can say whether it was taken,
 * and it is sent again too, which both providers bear.
 */
export const attemptResults = ['accepted', 'refused', 'failed', 'unknown'] as const;

export type OutcomeAttempt = {
  /** Tells this attempt from others when an answer of the table is lost. */
  id: string;
  /** ISO. */
  at: string;
  result: (typeof attemptResults)[number];
  /** The HTTP status; null if none came. */
  status: number | null;
  /** Why it was not taken, in words; null if it was. */
  error: string | null;
};

/** Who marked an outcome that was entered by hand. */
export type OutcomeMark = { by: string; at: string; note: string };

/**
 * What a provider is owed for each update of one of its alerts: to be told. One row from the transaction that accepts the
 * update until the provider has taken it, refused it for good, or was never to be told.
 */
export type Outcome = {
  id: string;
  alertId: number;
  /** Which of the alert's outcomes it is, from 1: they are sent in this order. */
  number: number;
  provider: OutcomeProviderName;
  caseId: string;
  sid: number;
  mid: number;
  /** Whether it ends the alert. There is one such at most, and it is the last. */
  isFinal: boolean;
  /** All that the merchant has said of the alert by then, which is what the provider is told. */
  update: AlertUpdate;
  /** What of it this update said, which is what the status update repeats. */
  sent: AlertUpdate;
  state: OutcomeState;
  /** ISO, when the update was accepted. */
  createdAt: string;
  /** From when on its tries are counted: its creation, or the last replay. */
  startedAt: string;
  /** After this (ISO) it is not tried any more. */
  expiresAt: string;
  /** When it is to be sent (again); null exactly when the state is not PENDING. */
  nextAttemptAt: string | null;
  /** Until when the merchant's status update waits for it; null: it waits no more, or there is none. */
  statusDueAt: string | null;
  /** When it is an alarm that the provider has not taken it; null: never, or it was one already. */
  lateAt: string | null;
  lease: { attemptId: string; until: string } | null;
  /** The newest. */
  attempts: readonly OutcomeAttempt[];
  attemptCount: number;
  /** Whether an attempt, however long ago, may have arrived though nobody heard so: its result is `unknown`, or it was cut off. */
  hasUnknownAttempt: boolean;
  acceptedAt: string | null;
  /** Why it has not been taken, as known last. */
  error: string | null;
  mark: OutcomeMark | null;
  /** Goes up with every write. */
  version: number;
};

const { minute, hour } = milliseconds;

/** How long the merchant's status update waits for its provider. */
const statusPatience = hour;
/** How long an outcome is tried: from the alert's receipt, and at least that long after an update that came late. */
const triedFor = 72 * hour;
const triedAtLeast = hour;
/** How long before the alert's deadline a final one must be taken; one that came later gets a few tries first. */
const lateBefore = 2 * hour;
const lateAtLeast = 15 * minute;

/** The identifier of one of an alert's outcomes. It names the provider, so that the sweep that finds it due knows the queue. */
export const outcomeIdOf = (provider: OutcomeProviderName, alertId: number, number: number): string =>
  `out_${outcomeLetterOf(provider)}_${alertId}_${number}`;

/** What an identifier names; undefined for one that is none of ours. */
export const readOutcomeId = (
  id: string,
): { provider: OutcomeProviderName; alertId: number; number: number } | undefined => {
  const [, letter, alertId = '', number = ''] = /^out_([a-z])_([1-9]\d{0,15})_([1-9]\d{0,5})$/.exec(id) ?? [];
  const provider = outcomeProviders.find((name) => outcomeLetterOf(name) === letter);
  return provider && { provider, alertId: Number(alertId), number: Number(number) };
};

/** The identifiers of all that an alert owes its provider, or owed, in order. */
export const outcomeIdsOf = (alert: Alert): string[] => {
  const provider = toldProvider(alert);
  return provider
    ? Array.from({ length: alert.outcomes }, (_, index) => outcomeIdOf(provider, alert.alertId, index + 1))
    : [];
};

/** The provider that is to be told of what becomes of an alert; null: nobody is. */
export const toldProvider = ({
  providerAlert,
  owner,
}: Pick<Alert, 'providerAlert' | 'owner'>): OutcomeProviderName | null => {
  if (!owner || providerAlert.test || providerAlert.type === 'DISPUTE_RDR' || isInformational(providerAlert.type))
    return null;
  return outcomeProviders.find((name) => name === providerAlert.provider) ?? null;
};

const later = (left: number, right: number): string => iso(Math.max(left, right));

/**
 * The outcome that an alert owes its provider, after an update that was just accepted; null if it owes none. `alert` is as
 * the update leaves it, this outcome counted; `wantsStatus`: a status update of it waits to be sent. `at`: ISO.
 */
export const createOutcome = (alert: Alert, sent: AlertUpdate, wantsStatus: boolean, at: string): Outcome | null => {
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
    update: alert.update ?? sent,
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

/** Whether its provider surely does not have it. */
export const isUntold = ({ state, attemptCount, lease }: Outcome): boolean =>
  state === 'PENDING' && attemptCount === 0 && lease === null;

/** The outcome of an answer that is taken back before its provider has it: it is not sent any more, nor told to the merchant. */
export const takenBack = (outcome: Outcome): Outcome => ({
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

/** When somebody has to look at an outcome next (ISO); null: never. */
export const visitAt = ({ nextAttemptAt, statusDueAt, lateAt }: Outcome): string | null =>
  earliest([nextAttemptAt, statusDueAt, lateAt]);

/**
 * From when on sweeps have to look at it (ISO). For the alarm before a deadline that is the sweep before it: the one after
 * would be too late.
 */
export const outcomeSweptFrom = ({ nextAttemptAt, statusDueAt, lateAt }: Outcome): string | null =>
  earliest([
    nextAttemptAt,
    statusDueAt,
    lateAt && iso(Math.floor(Date.parse(lateAt) / sweepMilliseconds) * sweepMilliseconds),
  ]);

/** How an alert's details tell of its latest outcome. */
export const toProviderOutcomeDto = ({ id, state, attempts, acceptedAt, attemptCount, error }: Outcome) => ({
  id,
  state,
  sent_at: attempts.at(-1)?.at ?? null,
  accepted_at: acceptedAt,
  attempts: attemptCount,
  error,
});
