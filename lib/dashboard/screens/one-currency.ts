import { decimalText, type Sum, scale, sumByCurrency, toDecimal } from '../parts/money.ts';

/** Sums in one currency, by rates that the service has. Pure. */

export type Rate = { from: string; to: string; rate: string; source: string; set_at: string };
/** `left`: sums of currencies without a rate, which are not in the total. */
export type OneSum = { total: Sum; used: readonly Rate[]; left: readonly Sum[] };

/** Rounds half to even, as the service does. */
const divideEven = (value: bigint, by: bigint): bigint => {
  const [whole, rest] = [value / by, value % by];
  const twice = (rest < 0n ? -rest : rest) * 2n;
  const isUp = twice > by || (twice === by && whole % 2n !== 0n);
  return isUp ? whole + (value < 0n ? -1n : 1n) : whole;
};

const convert = (amount: string, rate: string, decimals: number): string | undefined => {
  const [money, factor] = [toDecimal(amount), toDecimal(rate)];
  if (!money || !factor) return undefined;
  const minor = scale({ minor: money.minor * factor.minor, decimals: 0 }, decimals);
  return decimalText({ minor: divideEven(minor, 10n ** BigInt(money.decimals + factor.decimals)), decimals });
};

const fractionDigits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** Adds sums up in one currency. A rate counts in its own direction only. */
export const sumInOne = (sums: readonly Sum[], currency: string, rates: readonly Rate[]): OneSum => {
  const [used, left, own] = [[] as Rate[], [] as Sum[], [{ amount: '0', currency }] as Sum[]];
  for (const sum of sumByCurrency(sums)) {
    const rate = rates.find(({ from, to }) => from === sum.currency && to === currency);
    const amount =
      sum.currency === currency ? sum.amount : rate && convert(sum.amount, rate.rate, fractionDigits(currency));
    if (amount === undefined) left.push(sum);
    else own.push({ amount, currency });
    if (rate && amount !== undefined) used.push(rate);
  }
  return { total: sumByCurrency(own)[0] ?? { amount: '0', currency }, used, left };
};

/** A total in one currency, then the sums that have no rate; without a total where nothing is in it. */
export const partsInOne = (sums: readonly Sum[], currency: string, rates: readonly Rate[]): Sum[] => {
  const { total, left } = sumInOne(sums, currency, rates);
  return left.length > 0 && left.length === sumByCurrency(sums).length ? [...left] : [total, ...left];
};

/** Sums with the opposite sign. */
export const negate = (sums: readonly Sum[]): Sum[] =>
  sums.map(({ amount, currency }) => ({ currency, amount: amount.startsWith('-') ? amount.slice(1) : `-${amount}` }));

/** The change against an earlier amount in whole per cent; undefined where there was none. Never an amount that is shown. */
export const percentUp = (present: Sum, before: Sum): number | undefined => {
  const earlier = Number(before.amount);
  return earlier > 0 ? Math.round((Number(present.amount) / earlier - 1) * 100) : undefined;
};
