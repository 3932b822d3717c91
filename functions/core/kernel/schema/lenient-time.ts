import * as v from 'valibot';
import { iso, milliseconds, nowMilliseconds } from '../clock.ts';
import { FromTime } from './schema.ts';

/** A day in numbers whose order is known: with points the day is first; else one of day and month must be above 12. */
const toIsoDay = (text: string): string | undefined => {
  const [, first = '', mark, second = '', year] = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const isDayFirst = mark === '.' || Number(first) > 12;
  if (!isDayFirst && Number(second) <= 12 && first !== second) return undefined;
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
};

const withTime =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(\.\d{1,9})?\d* ?(?:(Z)|([+-]\d\d)(?::?(\d\d))?)?(?:\[[\w/+-]+\])?$/i;

/** A sender's clock may be ahead; a number that lies later is no count since 1970, such as a day with its hour (`2026112812`). */
const maxAheadMilliseconds = milliseconds.day;

const fromCount = (count: number, text: string): string =>
  count > nowMilliseconds() + maxAheadMilliseconds ? text : iso(count);

/** The spelling of ISO 8601 for what can mean only one time, as networks and spreadsheets write it; anything else stays as it is. */
const toIsoText = (sent: string | number): string => {
  const text = String(sent).trim();
  // Seconds or milliseconds since 1970.
  if (/^\d{10}$/.test(text)) return fromCount(Number(text) * 1000, text);
  if (/^\d{13}$/.test(text)) return fromCount(Number(text), text);
  const [, year, month = '', day = ''] =
    /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? /^(\d{4})[./-](\d{1,2})[./-](\d{1,2})$/.exec(text) ?? [];
  if (year !== undefined) return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const [, date, time, fraction = '', , hours, minutes = '00'] = withTime.exec(text) ?? [];
  if (date === undefined) return toIsoDay(text) ?? text;
  return `${date}T${time}${fraction}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`;
};

/** A time, or a day, which is its first instant; without a zone it is UTC. */
export const LenientTime = v.pipe(
  v.union([v.string(), v.number()], 'must be a date, or a date and time'),
  v.transform(toIsoText),
  FromTime,
  v.description('When the transaction was made.'),
);
