import { milliseconds } from '#core/kernel/clock.ts';
import type { LetterValue } from './letter.ts';

/** The person who reads an e-mail. `zone`: an IANA time zone; null: not known. `now`: ISO. */
export type Reader = { zone: string | null; now: string };

/** A time in the reader's zone, or in UTC where that is not known, always with the zone's name: `3 May 2026, 12:00 CEST`. */
export const timeText = (at: string, zone: string | null): string =>
  new Intl.DateTimeFormat('en-GB', {
    ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
    timeZone: zone ?? 'UTC',
    timeZoneName: 'short',
  }).format(new Date(at));

/** In minutes: the longest deadlines are agreed in hours, up to five days. */
const longestInHours = 120 * 60;

/** A length of time: `23 h 50 min`, `45 min`, and days where it is longer than any deadline. */
export const hoursText = (length: number): string => {
  const minutes = Math.floor(length / milliseconds.minute);
  if (minutes < 60) return `${minutes} min`;
  if (minutes >= longestInHours) return `${Math.floor(minutes / 1440)} days`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

/** The time until a deadline in words, and how pressing it is. */
export const leftUntil = (dueAt: string, now: string): { words: string; urgency: 'calm' | 'soon' | 'late' } => {
  const left = Date.parse(dueAt) - Date.parse(now);
  if (left <= 0) return { words: `the deadline passed ${hoursText(-left)} ago`, urgency: 'late' };
  return { words: `${hoursText(left)} left`, urgency: left < 6 * milliseconds.hour ? 'soon' : 'calm' };
};

/** One line without control characters and marks that reorder text: outside texts may contain anything, and a subject is a header. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ').trim();

/** A value as the reader sees it. */
export const valueText = (value: LetterValue, { zone }: Reader): string =>
  typeof value === 'string' ? oneLine(value) : timeText(value.at, zone);
