import type { AlertRow } from '../app/operations.ts';
import { sumByCurrency } from '../parts/money.ts';
import { dueSoonMilliseconds } from '../parts/times.ts';

/** The figures of Home, computed from the lists that the API returns. */

const hour = 3_600_000;
/** The number of hours in the chart of deadlines, and of each of its bars. */
export const hoursShown = 72;
export const hoursPerBar = 3;

/** From fewer days no month is projected. */
const minDays = 5;

type Open = Pick<AlertRow, 'amount' | 'currency' | 'deadline' | 'test'>;

/** Test alerts are neither money nor work. */
export const withoutTests = <R extends Pick<AlertRow, 'test'>>(rows: readonly R[]): R[] =>
  rows.filter((row) => !row.test);
/** The amount that is due within three hours, which begin `from` hours from now. */
export type HourDue = { from: number; count: number; amount: string };
export type Risk = {
  currency: string;
  amount: string;
  count: number;
  /** Each three of the next 72 hours; those without an alert are 0. */
  hours: readonly HourDue[];
  /** The amount due after these hours; null if there is none. */
  later: { count: number; amount: string } | null;
};

const leftUntil = ({ deadline }: Open, now: number): number =>
  deadline === null ? Number.POSITIVE_INFINITY : Date.parse(deadline) - now;

const sumOpen = (rows: readonly Open[]): { count: number; amount: string } => ({
  count: rows.length,
  amount: sumByCurrency(rows)[0]?.amount ?? '0',
});

/** The money at risk in open alerts before their deadline, by currency, the one with most alerts first. Amounts are decimals. */
export const sumRisk = (rows: readonly Open[], now: number): Risk[] => {
  const byCurrency = Map.groupBy(
    withoutTests(rows).filter((row) => leftUntil(row, now) > 0),
    ({ currency }) => currency,
  );
  return [...byCurrency]
    .map(([currency, own]) => {
      const byHour = Map.groupBy(own, (row) => Math.floor(leftUntil(row, now) / hour / hoursPerBar));
      const later = own.filter((row) => leftUntil(row, now) >= hoursShown * hour);
      return {
        currency,
        ...sumOpen(own),
        hours: Array.from({ length: hoursShown / hoursPerBar }, (_, at) => ({
          from: at * hoursPerBar,
          ...sumOpen(byHour.get(at) ?? []),
        })),
        later: later.length > 0 ? sumOpen(later) : null,
      };
    })
    .sort((left, right) => right.count - left.count);
};

/** The alerts that are past their deadline, and those that are due within six hours. */
export const splitByUrgency = <R extends Open>(rows: readonly R[], now: number): { late: R[]; soon: R[] } => ({
  late: withoutTests(rows).filter((row) => leftUntil(row, now) <= 0),
  soon: withoutTests(rows).filter((row) => leftUntil(row, now) > 0 && leftUntil(row, now) < dueSoonMilliseconds),
});

/** The first days of this month and as many of the one before, at most all of it: `2026-05-02`, in UTC. */
export const monthsToCompare = (now: number): Record<'present' | 'before', { from: string; to: string }> => {
  const date = new Date(now);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const textOf = (at: number): string => new Date(at).toISOString().slice(0, '2026-05-02'.length);
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return {
    present: { from: textOf(Date.UTC(year, month, 1)), to: textOf(now) },
    before: {
      from: textOf(Date.UTC(year, month - 1, 1)),
      to: textOf(Date.UTC(year, month - 1, Math.min(day, lastDay))),
    },
  };
};

/** The places of a value and its limit on a bar that reaches half as far again as the limit, or to the longest: per cent of its width. */
export const placeOnGauge = (
  value: number,
  limit: number,
  longest = value,
): { value: number; limit: number; over: number } => {
  const most = Math.max(limit * 1.5, longest);
  const at = (amount: number): number => Math.round((amount / most) * 1000) / 10;
  return { value: at(Math.min(value, limit)), limit: at(limit), over: at(Math.max(0, value - limit)) };
};

/** The count at the end of the present month, at the pace up to the day on which its figures were supplied. `today`: `2026-05-02`. */
export const projectMonth = (
  { numerator, supplied_at: at }: { numerator: number; supplied_at: string | null },
  today: string,
): number | undefined => {
  if (at === null || at.slice(0, '2026-05'.length) !== today.slice(0, '2026-05'.length)) return undefined;
  const [year = 0, month = 0, day = 0] = at.slice(0, today.length).split('-').map(Number);
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return day < minDays || day === days ? undefined : Math.round((numerator / day) * days);
};
