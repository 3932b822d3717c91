import * as v from 'valibot';
import { iso, milliseconds, nowMilliseconds } from '../clock.ts';
import { FromTime } from './schema.ts';

const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
];
/** 0 for any word but an English name or its short form, as months of other languages begin alike. */
const monthNumber = (name: string): string => {
  const word = name.toLowerCase().replace(/^sept$/, 'sep');
  return String(months.findIndex((month) => word === month || word === month.slice(0, 3)) + 1);
};
const joinDay = (year: string, month: string, day: string): string =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;

/**
 * A day whose order is known: the year first; the month as a word, also after the weekday; with points the day is first; else one of day and
 * month must be above 12.
 */
const toIsoDay = (text: string): string | undefined => {
  const [, year = '', month = '', day = ''] =
    /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? /^(\d{4})[./-](\d{1,2})[./-](\d{1,2})$/.exec(text) ?? [];
  if (year !== '') return joinDay(year, month, day);
  const [, before = '', name = '', after = '', named] =
    /^(?:[a-z]{3,9},? )?(?:(\d{1,2})[ -])?([a-z]{3,9})\.?[ -](?:(\d{1,2}),? )?(\d{4})$/i.exec(text) ?? [];
  if (named !== undefined)
    return (before === '') === (after === '') ? undefined : joinDay(named, monthNumber(name), before || after);
  const [, first = '', mark, second = '', last] = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(text) ?? [];
  if (last === undefined) return undefined;
  const isDayFirst = mark === '.' || Number(first) > 12;
  if (!isDayFirst && Number(second) <= 12 && first !== second) return undefined;
  return isDayFirst ? joinDay(last, second, first) : joinDay(last, first, second);
};

/** A time of the day behind a day, with a fraction, AM or PM, and a zone. */
const timeOfDay =
  /(?:T|,? )(\d{1,2})(:\d\d(?::\d\d)?)(?:[.,](\d{1,9})\d*)? ?([AP]M)? ?(?:(Z|UTC|GMT)|([+-]\d\d)(?::?(\d\d))?)?(?:\[[\w/+-]+\])?$/i;

/** The same without signs: `20261128T101500Z`. */
const compactTime = /^(\d{8})T?(\d\d)(\d\d)(\d\d)(Z|[+-]\d\d(?::?\d\d)?)?$/i;

const toHour = (hour: string, half: string | undefined): string =>
  half === undefined ? hour : String((Number(hour) % 12) + (/p/i.test(half) ? 12 : 0));

/** A sender's clock may be ahead; a number that lies later is no count since 1970, such as a day with its hour (`2026112812`). */
const maxAheadMilliseconds = milliseconds.day;

const fromCount = (count: number, text: string): string =>
  count > nowMilliseconds() + maxAheadMilliseconds ? text : iso(count);

/** The spelling of ISO 8601 for what can mean only one time, as networks and spreadsheets write it; anything else stays as it is. */
const toIsoText = (sent: string | number): string => {
  const text = String(sent).trim();
  // Seconds or milliseconds since 1970.
  const [, count, part = ''] = /^(\d{10})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (count !== undefined) return fromCount(Number(count) * 1000 + Number(part.slice(0, 3).padEnd(3, '0')), text);
  if (/^\d{13}$/.test(text)) return fromCount(Number(text), text);
  const spaced = text.replace(compactTime, '$1T$2:$3:$4$5');
  const found = timeOfDay.exec(spaced);
  const day = toIsoDay(found ? spaced.slice(0, found.index) : spaced);
  if (day === undefined || !found) return day ?? text;
  const [, hour = '', rest = '', fraction, half, , hours, minutes = '00'] = found;
  // A leap second is the last one of its minute, which no clock here counts.
  const clock = `${toHour(hour, half).padStart(2, '0')}${rest.replace(/^(:\d\d):60$/, '$1:59')}${fraction === undefined ? '' : `.${fraction}`}`;
  return `${day}T${clock}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`;
};

/** A time, or a day, which is its first instant; without a zone it is UTC. */
export const LenientTime = v.pipe(
  v.union([v.string(), v.number()], 'must be a date, or a date and time'),
  v.transform(toIsoText),
  FromTime,
  v.description('When the transaction was made.'),
);
