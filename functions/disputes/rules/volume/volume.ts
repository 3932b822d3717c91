import { datePart, milliseconds } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { normaliseDescriptor } from '#core/kernel/descriptor.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { isInformational } from '#disputes/alerts/alert.ts';

/**
 * Volumes: how many alerts a site, a descriptor or a card of it had, and of what amount, over the last hours or days.
 * They are kept per hour, in one row per day, and count alerts that require an answer or were decided by a network: informational
 * and test alerts are left out, and so are duplicates, which repeat a counted alert.
 */
export const volumeScopes = ['site', 'descriptor', 'card'] as const;
export type VolumeScope = (typeof volumeScopes)[number];

const longestHours = 30 * 24;

const countHours = (window: string): number => {
  const [, digits = '0', unit] = /^([1-9]\d{0,2})([hd])$/.exec(window) ?? [];
  return Number(digits) * (unit === 'd' ? 24 : 1);
};

/** Checks whether a text names a window: whole hours or days, `1h` to `30d`. */
export const isWindow = (window: string): boolean => {
  const hours = countHours(window);
  return hours >= 1 && hours <= longestHours;
};

/** The parts of an alert that decide where it is counted; from the alert itself or from its summary in a list. */
export type VolumeSubject = { sid: number; descriptor: string; card: string };

/** The counters an alert belongs to, by scope; a card only if its digits are known. A descriptor is arbitrary text, so its digest is used. */
export const volumeNames = ({ descriptor, card }: VolumeSubject): Partial<Record<VolumeScope, string>> => ({
  site: 'SITE',
  descriptor: `DESCRIPTOR#${sha256(normaliseDescriptor(descriptor)).slice(0, 32)}`,
  ...(card && { card: `CARD#${card.slice(0, 6)}-${card.slice(-4)}` }),
});

export const volumeSubjectOf = ({
  providerAlert,
  owner,
}: Pick<Alert, 'providerAlert' | 'owner'>): VolumeSubject | undefined =>
  owner ? { sid: owner.sid, descriptor: providerAlert.descriptor, card: providerAlert.card } : undefined;

/** Checks whether an alert is counted at all. */
export const isCountedAlert = ({ providerAlert, owner, duplicateOf }: Alert): boolean =>
  owner !== null && !providerAlert.test && duplicateOf === null && !isInformational(providerAlert.type);

const hourPart = (time: string): string => time.slice(0, 'YYYY-MM-DDTHH'.length);
const hourStart = (at: number): number => at - (at % milliseconds.hour);

/** The day's row and, within it, the attributes of an hour: the count, and the sum per currency. */
export const volumeDay = datePart;
export const volumeAttributes = (at: string, currency: string) => {
  const hour = at.slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH'.length);
  return { count: `${hour}|n`, sum: `${hour}|${currency}` };
};

/**
 * The hours of a window that ends at a time (ISO): from the beginning of the hour in which it starts, so it is up to an
 * hour longer than it says.
 */
const hoursWithin = (window: string, at: string): string[] => {
  const end = hourStart(Date.parse(at));
  const count = countHours(window) + 1;
  return Array.from({ length: count }, (_, index) =>
    hourPart(new Date(end - (count - 1 - index) * milliseconds.hour).toISOString()),
  );
};

/** The days whose rows a window that ends at a time needs. */
export const daysWithin = (window: string, at: string): string[] => [
  ...new Set(hoursWithin(window, at).map((hour) => datePart(hour))),
];

/** A day's row of counters as it is read. */
export type VolumeRow = Readonly<Record<string, unknown>>;

type Volume = { count: number; minor: number };

/**
 * Returns the number of alerts, and of minor units of a currency, that the rows count within a window. `lastHour` replaces the counts of
 * its last hour, if more has been counted there since.
 */
export const volumeWithin = (
  rowOfDay: (day: string) => VolumeRow | undefined,
  window: string,
  at: string,
  currency: string,
  lastHour?: Volume,
): Volume => {
  let { count, minor } = lastHour ?? { count: 0, minor: 0 };
  const hours = hoursWithin(window, at);
  for (const hour of lastHour ? hours.slice(0, -1) : hours) {
    const row = rowOfDay(datePart(hour));
    const names = volumeAttributes(hour, currency);
    count += Number(row?.[names.count] ?? 0);
    minor += Number(row?.[names.sum] ?? 0);
  }
  return { count, minor };
};

/** A sum of minor units as the number a rule compares. */
export const amountNumber = (minor: number, currency: string): number =>
  Number(formatAmount({ minor: BigInt(minor), currency }));
