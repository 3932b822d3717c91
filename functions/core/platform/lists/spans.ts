import { iso, milliseconds } from '#core/kernel/clock.ts';
import type { Range } from './list-index-store.ts';

/** The spans of time by which lists are counted on demand. Counts of a day or an hour that is over are stored. */

const { hour, day, minute } = milliseconds;

/** The time after its end during which a span may still get items, from slow writers and differing clocks. */
const settling = 5 * minute;
/** The most that an index or another clock may lag. */
export const indexLag = minute;

/** Where a span's count is stored: in rows of a year's days and of a day's hours. */
export type CountPlace = { bucket: string; part: string };

export const placeOfDay = (time: string): CountPlace => ({
  bucket: `DAYS#${time.slice(0, 4)}`,
  part: time.slice(5, 10),
});
export const placeOfHour = (time: string): CountPlace => ({
  bucket: `HOURS#${time.slice(0, 10)}`,
  part: time.slice(11, 13),
});

/** `place` is null if no count is stored: the span is not over yet, or is only a part of an hour. */
export type CountSpan = Range & { place: CountPlace | null };

const isOver = (end: number, now: number): boolean => end + settling <= now;

/** A range as spans, without gaps and in order of time: whole days; at its ends and today, whole hours; and the remainders. */
export const splitSpans = ({ from, to }: Range, now: number): CountSpan[] => {
  const spans: CountSpan[] = [];
  const end = Date.parse(to);
  const add = (start: number, until: number, place: CountPlace | null) => {
    const last = spans.at(-1);
    if (place === null && last?.place === null) last.to = iso(until);
    else spans.push({ from: iso(start), to: iso(until), place });
  };
  for (let at = Date.parse(from); at < end; ) {
    const isWhole = (length: number) => at % length === 0 && at + length <= end && isOver(at + length, now);
    const until = Math.min(end, at - (at % hour) + hour);
    if (isWhole(day)) add(at, at + day, placeOfDay(iso(at)));
    else add(at, until, isWhole(hour) ? placeOfHour(iso(at)) : null);
    at = isWhole(day) ? at + day : until;
  }
  return spans;
};

/** Where an item of a time may have been counted by now. */
export const placesCounted = (time: string, now: number): CountPlace[] => {
  const [dayBegan, hourBegan] = [
    Date.parse(`${time.slice(0, 10)}T00:00:00Z`),
    Date.parse(`${time.slice(0, 13)}:00:00Z`),
  ];
  return [
    ...(isOver(dayBegan + day, now + indexLag) ? [placeOfDay(time)] : []),
    ...(isOver(hourBegan + hour, now + indexLag) ? [placeOfHour(time)] : []),
  ];
};

/** The range of times that begin with a text: a month or an hour. */
export const calendarSpan = (start: string): Range => {
  const from = start + '0000-01-01T00:00:00.000Z'.slice(start.length);
  const next = new Date(from);
  if (start.length === 'YYYY-MM'.length) next.setUTCMonth(next.getUTCMonth() + 1);
  else next.setTime(next.getTime() + hour);
  return { from, to: iso(next) };
};
