import type { Zone } from '../app/preferences.ts';
import { presentLocale, translate } from '../language/translate.ts';
import { durationText } from './times.ts';

const minute = 60_000;

/** A time that has passed, by its largest part: `40 s`, `2 min`, `3 h`. */
export const agoText = (milliseconds: number): string =>
  milliseconds < minute
    ? translate('{seconds} s', { seconds: Math.max(0, Math.floor(milliseconds / 1000)) })
    : durationText(milliseconds);

/** A month (`2026-05`) with its name: `May 2026`. */
export const monthText = (month: string): string =>
  new Intl.DateTimeFormat(presentLocale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01`),
  );

/** A day, or the day of a time (UTC), as tables have it: `2 May 2026`. */
export const dateText = (at: string): string =>
  new Intl.DateTimeFormat(presentLocale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(
    Date.parse(at.slice(0, 10)),
  );

/** Days from one to another (`2026-05-01`), both included: `1 – 29 May 2026`. */
export const spanText = (from: string, to: string): string =>
  new Intl.DateTimeFormat(presentLocale(), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }).formatRange(Date.parse(from), Date.parse(to));

const toZoneOption = (zone: Zone) => (zone === 'utc' ? { timeZone: 'UTC' } : {});
const dayIn = (at: number | string, zone: Zone): string =>
  new Intl.DateTimeFormat('en-CA', { ...toZoneOption(zone) }).format(new Date(at));

/** The days by which a list is grouped: today, yesterday, earlier in this month, then months. `now`: epoch milliseconds. */
export const pastGroup = (at: string, now: number, zone: Zone): string => {
  const [day, today] = [dayIn(at, zone), dayIn(now, zone)];
  if (day >= today) return translate('Today');
  if (day === dayIn(now - 86_400_000, zone)) return translate('Yesterday');
  return day.slice(0, 7) === today.slice(0, 7) ? translate('Earlier this month') : monthText(day.slice(0, 7));
};

/** A day within a year, as rows have it: `2 May`, and `2 May 2025` of another year. */
export const rowDayText = (at: string, now: number, zone: Zone): string =>
  new Intl.DateTimeFormat(presentLocale(), {
    ...toZoneOption(zone),
    ...{ day: 'numeric', month: 'short' },
    ...(dayIn(at, zone).slice(0, 4) !== dayIn(now, zone).slice(0, 4) && { year: 'numeric' }),
  }).format(new Date(at));
