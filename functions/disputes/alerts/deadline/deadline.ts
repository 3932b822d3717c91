import { iso, milliseconds } from '#core/kernel/clock.ts';
import { type Alert, isOpen } from '../alert.ts';

/** The time before a deadline at which the site is warned. */
const warningMilliseconds = 6 * milliseconds.hour;
/** A schedule fires within the minute it names, so its message may come up to a minute early. */
const earlyMilliseconds = milliseconds.minute;

export const deadlinePhases = ['warn', 'pass'] as const;
export type DeadlinePhase = (typeof deadlinePhases)[number];

export type DeadlinePlan = {
  /** The actions that are due now and not done yet. */
  warn: boolean;
  pass: boolean;
  /** The one schedule there should be (`at`: ISO, whole seconds); null: none. */
  next: { phase: DeadlinePhase; at: string } | null;
};

const nothing: DeadlinePlan = { warn: false, pass: false, next: null };

const warnTime = ({ deadlineAt, receivedAt, assignedAt }: Alert): number | null => {
  if (deadlineAt === null) return null;
  const at = Date.parse(deadlineAt) - warningMilliseconds;
  // A warning due when the alert itself comes is not needed.
  return at > Date.parse(assignedAt ?? receivedAt) ? at : null;
};

/** Sweeps begin at 00:00 and 12:00 UTC. */
const sweepMilliseconds = 12 * milliseconds.hour;

/**
 * From when sweeps have to look at an alert that awaits an answer (ISO). Until its site was warned, that is the last sweep
 * before the warning, which makes sure that the schedule exists: the sweep after the warning's time may be too late.
 */
export const sweptFrom = (alert: Alert, deadlineAt: string): string => {
  const warning = alert.warnedAt === null ? warnTime(alert) : null;
  return warning === null ? deadlineAt : iso(Math.floor(warning / sweepMilliseconds) * sweepMilliseconds);
};

/**
 * Returns the actions that an alert's deadline requires at a time (milliseconds since 1970). They depend only on the alert and the time, so
 * that messages may be duplicated, late or lost; `isFiring`: a schedule's own message asks, which may be a little early.
 */
export const deadlinePlan = (alert: Alert, nowMilliseconds: number, isFiring: boolean): DeadlinePlan => {
  const { deadlineAt, deadlinePassed, warnedAt } = alert;
  if (deadlineAt === null || deadlinePassed || !isOpen(alert)) return nothing;
  const isReached = (at: number) => nowMilliseconds >= at - (isFiring ? earlyMilliseconds : 0);
  if (isReached(Date.parse(deadlineAt))) return { ...nothing, pass: true };
  const warning = warnTime(alert);
  const passing = { phase: 'pass', at: deadlineAt } as const;
  if (warning === null || warnedAt !== null) return { ...nothing, next: passing };
  return isReached(warning)
    ? { warn: true, pass: false, next: passing }
    : { ...nothing, next: { phase: 'warn', at: new Date(warning).toISOString() } };
};

/** The alert after its site was due to be warned. `at`: ISO. */
export const markDeadlineWarned = (alert: Alert, at: string): Alert => ({
  ...alert,
  warnedAt: at,
  version: alert.version + 1,
});

/** The alert after its deadline passed without an outcome. */
export const markDeadlinePassed = (alert: Alert): Alert => ({
  ...alert,
  deadlinePassed: true,
  version: alert.version + 1,
});
