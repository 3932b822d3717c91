import { Cron } from 'croner';

/** When a schedule fires next, in milliseconds since 1970; undefined: never (again). */
export type NextTime = (after: number) => number | undefined;

const units: Readonly<Record<string, number | undefined>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/**
 * Reads an expression of EventBridge Scheduler: `at(2026-05-02T10:00:00)`, `rate(5 minutes)` counted from `createdAt`, or
 * `cron(minutes hours day-of-month month day-of-week year)`. Returns undefined when it is none of them.
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */
export const parseExpression = (expression: string, timezone: string, createdAt: number): NextTime | undefined => {
  const [, kind = '', argument = ''] = /^(at|rate|cron)\((.+)\)$/.exec(expression) ?? [];
  if (kind === 'at') return once(argument, timezone);
  if (kind === 'rate') return every(argument, createdAt);
  return kind === 'cron' ? recurring(argument, timezone) : undefined;
};

const once = (argument: string, timezone: string): NextTime | undefined => {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(argument)) return undefined;
  const at = timezone === 'UTC' ? Date.parse(`${argument}Z`) : new Cron(argument, { timezone }).nextRun()?.getTime();
  if (at === undefined || Number.isNaN(at)) return undefined;
  return (after) => (at > after ? at : undefined);
};

const every = (argument: string, createdAt: number): NextTime | undefined => {
  const [, count = '', unit = ''] = /^(\d+) (minute|hour|day)s?$/.exec(argument) ?? [];
  const period = Number(count) * (units[unit] ?? 0);
  return period > 0 ? (after) => createdAt + (Math.floor((after - createdAt) / period) + 1) * period : undefined;
};

/** AWS counts days of the week from 1 = Sunday, as Quartz does, has the year as its sixth field, and writes `0/12`. */
const recurring = (argument: string, timezone: string): NextTime | undefined => {
  const fields = argument.trim().split(/\s+/);
  if (fields.length !== 6) return undefined;
  const options = { timezone, alternativeWeekdays: true, sloppyRanges: true, paused: true };
  try {
    const cron = new Cron(`0 ${fields.join(' ')}`, options);
    return (after) => cron.nextRun(new Date(after))?.getTime();
  } catch (error) {
    // The error of croner for a pattern that it cannot read.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
};
