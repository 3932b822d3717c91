import { iso, milliseconds } from '#core/kernel/clock.ts';

/** Messages of new alerts to people, in their chats. */
export const chatKinds = ['slack', 'teams'] as const;
export type ChatKind = (typeof chatKinds)[number];

export const deliveryKinds = [
  'new_alert',
  'status_update',
  'enrollment_update',
  'alert_deadline',
  'postback',
  ...chatKinds,
] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/** Checks whether a kind is a message in a chat, which is no webhook of the merchant's: unsigned, and its address is a secret. */
export const isChat = (kind: DeliveryKind): kind is ChatKind => chatKinds.some((one) => one === kind);

/**
 * The times at which a notification is tried again after its first attempt, which is made immediately: at fixed hours of the day (UTC), or
 * after delays that count from its creation, the last of which then repeats. No attempt is made later than `expiresAfter`. After
 * `warnsAfter` failed attempts the merchant is notified by e-mail.
 */
export type Policy = { expiresAfter: number; warnsAfter: number } & (
  | { hoursOfDay: readonly number[] }
  | { delays: readonly number[]; every: number }
);

const { minute, hour, day } = milliseconds;
/** The hours (UTC) of the sweep, at which everything pending is tried. */
export const slotHours: readonly number[] = [0, 12];
const twiceADay = { expiresAfter: 3 * day, warnsAfter: 3, hoursOfDay: slotHours } as const;

/** A chat that does not work is tried again within the hour, and a day-old message is no news. */
const chat = {
  expiresAfter: day,
  warnsAfter: 5,
  delays: [minute, 5 * minute, 10 * minute, 30 * minute],
  every: hour,
} as const;

/** One row per kind. New alerts: interface §6, rule 1; the rest: the same promise, made for every kind. */
export const policies: Readonly<Record<DeliveryKind, Policy>> = {
  new_alert: twiceADay,
  status_update: twiceADay,
  enrollment_update: twiceADay,
  alert_deadline: twiceADay,
  postback: {
    expiresAfter: 3 * day,
    warnsAfter: 5,
    delays: [minute, 5 * minute, 10 * minute, 30 * minute],
    every: hour,
  },
  slack: chat,
  teams: chat,
};

/** Checks whether a kind is tried again after delays. Its messages wait in the queue; the sweep only finds what got lost. */
export const hasDelays = (kind: DeliveryKind): boolean => 'delays' in policies[kind];

/**
 * Up to when an attempt settles slots: its own, and, for kinds whose next slot comes soon anyway, all those whose time had
 * passed when it was made, so that an outage is not followed by a burst.
 */
export const servedUntil = (kind: DeliveryKind, { slot, at }: { slot: string; at: string }): string =>
  hasDelays(kind) && at > slot ? at : slot;

/** The time after the expiry at which an attempt that was due in time may still begin: a queue may delay it by this much. */
export const graceMilliseconds = 15 * minute;

/** When a notification of this kind, created at a time (ISO), is given up. */
export const findExpiry = (kind: DeliveryKind, createdAt: string): string =>
  iso(Date.parse(createdAt) + policies[kind].expiresAfter);

type Scheduled = { kind: DeliveryKind; createdAt: string; expiresAt: string };

/** The first slot (ISO) later than another, or null if there is none until the notification expires (inclusive). */
export const nextSlot = ({ kind, createdAt, expiresAt }: Scheduled, afterSlot: string): string | null => {
  const policy = policies[kind];
  const after = Date.parse(afterSlot);
  const slot =
    'hoursOfDay' in policy ? nextHourOfDay(policy.hoursOfDay, after) : nextDelay(policy, Date.parse(createdAt), after);
  return slot <= Date.parse(expiresAt) ? iso(slot) : null;
};

const nextHourOfDay = (hours: readonly number[], after: number): number => {
  const midnight = Math.floor(after / day) * day;
  const candidates = [0, day].flatMap((offset) => hours.map((hourOfDay) => midnight + offset + hourOfDay * hour));
  return Math.min(...candidates.filter((candidate) => candidate > after));
};

const nextDelay = ({ delays, every }: { delays: readonly number[]; every: number }, start: number, after: number) => {
  const listed = delays.find((delay) => start + delay > after);
  if (listed !== undefined) return start + listed;
  const last = start + (delays.at(-1) ?? 0);
  return last + (Math.floor((after - last) / every) + 1) * every;
};

/** Checks whether it is too late to begin an attempt for a slot. Replays, which a person requested, are never too late. */
export const isDeliveryExpired = ({ expiresAt }: Pick<Scheduled, 'expiresAt'>, slot: string, at: string): boolean =>
  slot > expiresAt || Date.parse(at) > Date.parse(expiresAt) + graceMilliseconds;
