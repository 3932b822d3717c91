import { datePart } from '#core/kernel/clock.ts';
import { countedAmount } from '#core/kernel/money/counted-minor.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import { type AlertCost, type CreditState, creditStates, type Priced } from '#disputes/alerts/cost/cost.ts';

/**
 * The costs and savings of a merchant's or a site's alerts on a day. Each change of an alert's cost adds its difference to the day on which
 * it was made, so a past day no longer changes; only the price itself counts on the day of the alert.
 */
export type CostChange = { before: AlertCost | undefined; after: AlertCost };

/** One addition to one attribute of a day: `measure|provider|unit`, where the unit is `n` or a currency. */
export type CostAddition = { owner: string; day: string; attribute: string; n: number };

/** Measures that count alerts, each with the measure of their money. */
const moneyOf = { alerts: 'spent', prevented: 'saved' } as const;

type Parts = ReadonlyMap<string, number>;

const countParts = (measure: string, money: string, provider: string, priced: Priced | null): [string, number][] => {
  const count: [string, number] = [`${measure}|${provider}|n`, 1];
  return priced
    ? [count, [`${money}|${provider}|${priced.currency}`, countedAmount(priced.amount, priced.currency)]]
    : [count];
};

/** The measures of a cost, without its price. */
const standing = (cost: AlertCost | undefined): Parts => {
  if (!cost) return new Map();
  const { provider, credit, price, saved } = cost;
  return new Map([
    ...(credit.state === 'none' ? [] : countParts(credit.state, credit.state, provider, price)),
    ...(saved ? countParts('prevented', moneyOf.prevented, provider, saved) : []),
  ]);
};

const differences = (before: Parts, after: Parts): [string, number][] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((name): [string, number][] => {
    const n = (after.get(name) ?? 0) - (before.get(name) ?? 0);
    return n === 0 ? [] : [[name, n]];
  });

/** Returns the additions of a change, by day. `at`: ISO, when it is made. */
export const listAddends = ({ before, after }: CostChange, at: string): CostAddition[] => {
  const { mid, sid, provider, price, receivedAt } = after;
  const received = before ? [] : countParts('alerts', moneyOf.alerts, provider, price);
  const byDay = [
    ...received.map((part) => ({ day: datePart(receivedAt), part })),
    ...differences(standing(before), standing(after)).map((part) => ({ day: datePart(at), part })),
  ];
  return [`M${mid}`, `S${sid}`].flatMap((owner) =>
    byDay.map(({ day, part: [attribute, n] }) => ({ owner, day, attribute, n })),
  );
};

/** A day's row as it is read: its attributes. */
export type CostDay = { day: string; counted: Readonly<Record<string, unknown>> };

type Sums = { counts: Map<string, number>; amounts: Map<string, Map<string, number>> };

const sumDays = (days: readonly CostDay[], providers: readonly string[] | undefined): Sums => {
  const sums: Sums = { counts: new Map(), amounts: new Map() };
  for (const [name, value] of days.flatMap(({ counted }) => Object.entries(counted))) {
    const [measure = '', provider = '', unit] = name.split('|');
    if (unit === undefined || typeof value !== 'number' || (providers && !providers.includes(provider))) continue;
    if (unit === 'n') sums.counts.set(measure, (sums.counts.get(measure) ?? 0) + value);
    else {
      const amounts = sums.amounts.get(measure) ?? new Map<string, number>();
      sums.amounts.set(measure, amounts.set(unit, (amounts.get(unit) ?? 0) + value));
    }
  }
  return sums;
};

/** An amount that may be negative, such as when more was taken off than added on a day. */
const formatSigned = (minor: number, currency: string): string =>
  `${minor < 0 ? '-' : ''}${formatAmount({ minor: BigInt(Math.abs(minor)), currency })}`;

const moneyList = ({ amounts }: Sums, measure: string) =>
  [...(amounts.get(measure) ?? [])]
    .filter(([, minor]) => minor !== 0)
    .map(([currency, minor]) => ({ currency, amount: formatSigned(minor, currency) }))
    .sort((left, right) => (left.currency < right.currency ? -1 : 1));

/** The cost, less granted credits, per prevented dispute. */
const costPerPrevented = ({ counts, amounts }: Sums) => {
  const prevented = counts.get('prevented') ?? 0;
  if (prevented <= 0) return [];
  return [...(amounts.get('spent') ?? [])].map(([currency, spent]) => {
    const net = spent - (amounts.get('granted')?.get(currency) ?? 0);
    return { currency, amount: formatSigned(Math.round(net / prevented), currency) };
  });
};

const shownStates = creditStates.filter((state) => state !== 'none');

const costFigures = (days: readonly CostDay[], providers: readonly string[] | undefined) => {
  const sums = sumDays(days, providers);
  const credit = (state: Exclude<CreditState, 'none'>) => ({
    alerts: sums.counts.get(state) ?? 0,
    amounts: moneyList(sums, state),
  });
  const [claimable, claimed, granted, refused] = shownStates.map(credit);
  return {
    alerts: sums.counts.get('alerts') ?? 0,
    spent: moneyList(sums, 'spent'),
    claimable: claimable ?? { alerts: 0, amounts: [] },
    claimed: claimed ?? { alerts: 0, amounts: [] },
    granted: granted ?? { alerts: 0, amounts: [] },
    refused: refused ?? { alerts: 0, amounts: [] },
    prevented: sums.counts.get('prevented') ?? 0,
    saved: moneyList(sums, 'saved'),
    cost_per_prevented: costPerPrevented(sums),
  };
};

const periodLength = { day: 'YYYY-MM-DD'.length, month: 'YYYY-MM'.length } as const;

/** The days of a report, by day or by month, and their total. */
export const costReportOf = (
  days: readonly CostDay[],
  group: keyof typeof periodLength,
  providers?: readonly string[],
) => {
  const periods = Map.groupBy(days, ({ day }) => day.slice(0, periodLength[group]));
  const list = [...periods].map(([date, some]) => ({ date, ...costFigures(some, providers) }));
  return {
    list: list.sort((left, right) => (left.date < right.date ? -1 : 1)),
    totals: costFigures(days, providers),
  };
};
