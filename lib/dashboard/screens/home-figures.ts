import type { AlertRow } from '../app/operations.ts';
import { sumByCurrency } from '../parts/money.ts';
import { dueSoonMilliseconds } from '../parts/times.ts';

/** What Home computes from the lists that the API returns. Pure. */

const hour = 3_600_000;
/** So far ahead the chart of deadlines reaches. */
export const hoursShown = 72;

type Open = Pick<AlertRow, 'amount' | 'currency' | 'deadline'>;
/** What is due within one hour, which begins `from` hours from now. */
export type HourDue = { from: number; count: number; amount: string };
export type Risk = {
  currency: string;
  amount: string;
  count: number;
  /** The next 72 hours one by one, those without an alert as 0. */
  hours: readonly HourDue[];
  /** Of alerts due after these hours; null: there are none. */
  later: { count: number; amount: string } | null;
};

const leftOf = ({ deadline }: Open, now: number): number =>
  deadline === null ? Number.POSITIVE_INFINITY : Date.parse(deadline) - now;

const sumOf = (rows: readonly Open[]): { count: number; amount: string } => ({
  count: rows.length,
  amount: sumByCurrency(rows)[0]?.amount ?? '0',
});

/** The money that open alerts in time are about, by currency, that of most alerts first; amounts are decimals. */
export const sumRisk = (rows: readonly Open[], now: number): Risk[] => {
  const byCurrency = Map.groupBy(
    rows.filter((row) => leftOf(row, now) > 0),
    ({ currency }) => currency,
  );
  return [...byCurrency]
    .map(([currency, own]) => {
      const byHour = Map.groupBy(own, (row) => Math.floor(leftOf(row, now) / hour));
      const later = own.filter((row) => leftOf(row, now) >= hoursShown * hour);
      return {
        currency,
        ...sumOf(own),
        hours: Array.from({ length: hoursShown }, (_, from) => ({ from, ...sumOf(byHour.get(from) ?? []) })),
        later: later.length > 0 ? sumOf(later) : null,
      };
    })
    .sort((left, right) => right.count - left.count);
};

/** The alerts that are past their deadline, and those that are due within six hours. */
export const splitByUrgency = <R extends Open>(rows: readonly R[], now: number): { late: R[]; soon: R[] } => ({
  late: rows.filter((row) => leftOf(row, now) <= 0),
  soon: rows.filter((row) => leftOf(row, now) > 0 && leftOf(row, now) < dueSoonMilliseconds),
});

type Sent = { state: string; url: string | null; attempts: readonly { error: string | null }[] };
/** How one address took what was sent to it. */
export type EndpointHealth = { host: string; delivered: number; failed: number };

const hostOf = (url: string): string => URL.parse(url)?.host ?? url;

/** By host, the failing first. Failed: given up, or its latest attempt was not accepted; what was not tried yet is left out. */
export const countDeliveries = (deliveries: readonly Sent[]): EndpointHealth[] => {
  const tried = deliveries.filter(({ url, state }) => url !== null && state !== 'CANCELLED');
  const byHost = Map.groupBy(tried, ({ url }) => hostOf(String(url)));
  return [...byHost]
    .map(([host, own]) => ({
      host,
      delivered: own.filter(({ state }) => state === 'DELIVERED').length,
      failed: own.filter(
        ({ state, attempts }) => state === 'EXPIRED' || (state === 'PENDING' && attempts.at(-1)?.error),
      ).length,
    }))
    .sort((left, right) => right.failed - left.failed);
};

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

/** The places of a value and its limit on a bar that reaches half as far again as the limit: per cent of its width. */
export const placeOnGauge = (value: number, limit: number): { value: number; limit: number; over: number } => {
  const most = Math.max(limit * 1.5, value);
  const at = (amount: number): number => Math.round((amount / most) * 1000) / 10;
  return { value: at(Math.min(value, limit)), limit: at(limit), over: at(Math.max(0, value - limit)) };
};
