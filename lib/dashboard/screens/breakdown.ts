import { milliseconds } from '#core/kernel/clock.ts';
import { isAvoided } from '#disputes/reports/avoided.ts';
import type { AlertRow } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { isAbove, type Sum, sumByCurrency } from '../parts/money.ts';
import { negate, percentUp, type Rate, sumInOne } from './one-currency.ts';

/** One part of what was avoided. `count`: in this period. */
export type Breakdown = { name: string; count: number; present: Sum; before: Sum; change: number | undefined };

type Row = Pick<
  AlertRow,
  'status' | 'reason_code' | 'late' | 'test' | 'amount' | 'currency' | 'alert_type' | 'refunded_by'
>;
type Money = { currency: string; rates: readonly Rate[] };

const maxRows = 6;

/** The rule that answered an avoided alert, or people. Visa RDR decides without an answer, so such a row has no code. */
export const nameAnswerer = ({ rule, reason_code: code }: Pick<AlertRow, 'rule' | 'reason_code'>): string =>
  rule?.name ?? (code === null ? translate('Visa RDR') : translate('People'));

/** The amounts that were avoided, by a trait of alerts: the six largest. */
export const breakDown = <R extends Row>(
  now: readonly R[],
  then: readonly R[],
  read: (row: R) => string,
  { currency, rates }: Money,
): Breakdown[] => {
  const [present, before] = [now, then].map((rows) => Map.groupBy(rows.filter(isAvoided), read));
  const sum = (rows: readonly R[] = []): Sum => sumInOne(rows, currency, rates).total;
  return [...new Set([...(present?.keys() ?? []), ...(before?.keys() ?? [])])]
    .map((name) => {
      const [own, earlier] = [sum(present?.get(name)), sum(before?.get(name))];
      return {
        name,
        count: present?.get(name)?.length ?? 0,
        present: own,
        before: earlier,
        change: percentUp(own, earlier),
      };
    })
    .toSorted((left, right) => (isAbove(left.present.amount, right.present.amount) ? -1 : 1))
    .slice(0, maxRows);
};

/** The part whose amount changed most between the periods, and by how much; undefined where nothing changed. */
export const findGreatestChange = <T extends Breakdown>(
  parts: readonly T[],
): { part: T; by: Sum; isMore: boolean } | undefined => {
  const [first] = parts
    .map((part) => {
      const [by = part.present] = sumByCurrency([part.present, ...negate([part.before])]);
      return { part, by: { ...by, amount: by.amount.replace(/^-/, '') }, isMore: !by.amount.startsWith('-') };
    })
    .toSorted((left, right) => (isAbove(left.by.amount, right.by.amount) ? -1 : 1));
  return first && isAbove(first.by.amount, '0') ? first : undefined;
};

const toDay = (time: number): string => new Date(time).toISOString().slice(0, '2026-05-02'.length);

/**
 * The span before one, to compare with, in days (`2026-05-02`). Of a month from its first day on, as many days of the month before; of any
 * other, as many days just before it. Days that are still to come do not count.
 */
export const spanBefore = ({ from, to }: { from: string; to: string }, today: string): { from: string; to: string } => {
  const [until = to] = [to, today].sort();
  const [first, last] = [Date.parse(from), Math.max(Date.parse(until), Date.parse(from))];
  if (from.endsWith('-01') && from.slice(0, 7) === to.slice(0, 7)) {
    const [year = 0, month = 1] = from.split('-').map(Number);
    const end = Date.UTC(year, month - 1, 0);
    const begin = Date.UTC(year, month - 2, 1);
    const isWhole = last === Date.UTC(year, month, 0);
    return { from: toDay(begin), to: toDay(isWhole ? end : Math.min(end, begin + (last - first))) };
  }
  return { from: toDay(first - (last - first) - milliseconds.day), to: toDay(first - milliseconds.day) };
};
