import type { Zone } from '../app/preferences.ts';
import { presentLocale, translate } from '../language/translate.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** When a deadline counts as due soon: the alerts one should look at first. */
export const dueSoonMilliseconds = 6 * hour;

type Look = 'exact' | 'short' | 'far';
const timeOfDay = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
const looks: Readonly<Record<Look, Intl.DateTimeFormatOptions>> = {
  exact: { day: 'numeric', month: 'short', year: 'numeric', ...timeOfDay, second: '2-digit' },
  short: { day: 'numeric', month: 'short', ...timeOfDay },
  far: { day: 'numeric', month: 'short', year: 'numeric', ...timeOfDay },
};

/** Each made once: making one takes a slow machine a millisecond, and a list shows hundreds of times. */
const formats = new Map<string, Intl.DateTimeFormat>();
const findFormat = (look: Look, zone: Zone): Intl.DateTimeFormat => {
  const key = `${look} ${zone}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(presentLocale(), { ...looks[look], ...(zone === 'utc' && { timeZone: 'UTC' }) });
  formats.set(key, format);
  return format;
};

/** A time with its seconds and its zone: `2 May 2026, 10:00:00 UTC`. */
export const exactText = (at: string, zone: Zone): string => findFormat('exact', zone).format(new Date(at));

/** A time as lists show it: the day without its year where that is this year's, and the zone. */
export const shortText = (at: string, zone: Zone, now: number): string => {
  const date = new Date(at);
  const isFar = Math.abs(date.getTime() - now) > 300 * day;
  return findFormat(isFar ? 'far' : 'short', zone).format(date);
};

/** A length of time in its two largest parts: `3 d 4 h`, `3 h 12 min`, `45 min`. */
export const durationText = (milliseconds: number): string => {
  const whole = Math.max(0, Math.floor(milliseconds / minute));
  const [days, hours, minutes] = [Math.floor(whole / 1440), Math.floor(whole / 60) % 24, whole % 60];
  if (days > 0) return hours > 0 ? translate('{days} d {hours} h', { days, hours }) : translate('{days} d', { days });
  if (hours > 0)
    return minutes > 0 ? translate('{hours} h {minutes} min', { hours, minutes }) : translate('{hours} h', { hours });
  return translate('{minutes} min', { minutes });
};

/** Returns the same in its largest part alone once it is days, where hours do not matter. */
const roughText = (milliseconds: number): string =>
  milliseconds < 2 * day ? durationText(milliseconds) : translate('{days} d', { days: Math.floor(milliseconds / day) });

/** The remaining time inside a ring: `47m`, `3h`, `2d`, and `+2h` after the deadline. */
export const ringText = (milliseconds: number): string => {
  const size = Math.abs(milliseconds);
  const sign = milliseconds <= 0 ? '+' : '';
  if (size < hour) return sign + translate('{minutes}m', { minutes: Math.floor(size / minute) });
  if (size < day) return sign + translate('{hours}h', { hours: Math.floor(size / hour) });
  return sign + translate('{days}d', { days: Math.floor(size / day) });
};

/** A deadline is urgent if less time than this is left. */
const urgentMilliseconds = 3 * hour;
type Urgency = 'calm' | 'soon' | 'urgent' | 'late';

/** Returns the time left until a deadline, in words that include late and due soon. */
export const timeLeft = (
  until: string,
  now: number,
): { text: string; tone: 'bad' | 'warn' | 'calm'; urgency: Urgency } => {
  const left = Date.parse(until) - now;
  if (left <= 0) return { text: translate('Late by {time}', { time: roughText(-left) }), tone: 'bad', urgency: 'late' };
  const words = durationText(left);
  if (left >= dueSoonMilliseconds) return { text: words, tone: 'calm', urgency: 'calm' };
  return {
    text: translate('Due soon: {time}', { time: words }),
    tone: 'warn',
    urgency: left < urgentMilliseconds ? 'urgent' : 'soon',
  };
};

/** The day of a time, in UTC: `2026-05-02`. */
export const dayText = (at: string | number): string => new Date(at).toISOString().slice(0, 10);

const zoneOption = (zone: Zone) => (zone === 'utc' ? { timeZone: 'UTC' } : {});

/** The day of a time in the zone in which times are shown: `2026-05-02`. */
export const dayIn = (at: string, zone: Zone): string =>
  new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', ...zoneOption(zone) }).format(new Date(at));

/** The day of a time as a heading: `Today`, `Yesterday`, `Saturday 2 May`, and with its year if that is another. */
export const longDayText = (at: string, zone: Zone, now: number): string => {
  const shown = dayIn(at, zone);
  const today = new Date(now).toISOString();
  if (shown === dayIn(today, zone)) return translate('Today');
  if (shown === dayIn(new Date(now - day).toISOString(), zone)) return translate('Yesterday');
  const year = shown.slice(0, 4) === dayIn(today, zone).slice(0, 4) ? {} : { year: 'numeric' as const };
  return new Intl.DateTimeFormat(presentLocale(), {
    ...{ weekday: 'long', day: 'numeric', month: 'long' },
    ...year,
    ...zoneOption(zone),
  }).format(new Date(at));
};

/** The time of day, where a heading has its day: `10:00`, with its zone. */
export const clockText = (at: string, zone: Zone): string =>
  new Intl.DateTimeFormat(presentLocale(), { ...timeOfDay, ...zoneOption(zone) }).format(new Date(at));
