import { iso, milliseconds } from '#core/kernel/clock.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import type { Waiting } from '#disputes/alerts/automatic/decision-row.ts';

/** The time for which an alert's rules are evaluated again when one of its merchant's processors could not be asked. Pure. */

const { second, minute, hour } = milliseconds;
/** The time after the alert's receipt for which the new-alert notification waits for the rules. */
const notificationWaits = 5 * minute;
const firstPause = 30 * second;
/** Pauses once the merchant knows of the alert; the last repeats. */
const pauses = [5 * minute, 10 * minute, 20 * minute, 40 * minute, hour] as const;
/** A person needs this much time before the deadline to decide. */
const beforeDeadline = 2 * hour;
/** For an alert without a deadline. */
const longest = 72 * hour;

/** The wait of an alert that could not be decided. `notifies`: its merchant is notified now, as without rules. */
export type Wait = { waiting: Waiting; notifies: boolean };

/** Returns the next wait; undefined: none, it is left to its merchant. `at`: ISO, now. */
export const waitAfter = (
  { receivedAt, deadlineAt }: Pick<Alert, 'receivedAt' | 'deadlineAt'>,
  before: Waiting | undefined,
  at: string,
): Wait | undefined => {
  const [now, received] = [Date.parse(at), Date.parse(receivedAt)];
  const until = (deadlineAt === null ? received + longest : Date.parse(deadlineAt)) - beforeDeadline;
  if (now >= until) return undefined;
  const isNotified = before?.isNotified ?? false;
  if (!isNotified && now < received + notificationWaits) {
    const nextAt = iso(Math.min(now + firstPause, received + notificationWaits));
    return { waiting: { isNotified: false, tries: 0, nextAt }, notifies: false };
  }
  const tries = (before?.tries ?? 0) + 1;
  const pause = pauses[Math.min(tries, pauses.length) - 1] ?? hour;
  return { waiting: { isNotified: true, tries, nextAt: iso(Math.min(now + pause, until)) }, notifies: !isNotified };
};
