import { describe, expect, it } from 'vitest';
import {
  monthsToCompare,
  placeOnGauge,
  projectMonth,
  splitByUrgency,
  sumRisk,
} from '../../lib/dashboard/screens/home-figures.ts';
import { negate, partsInOne, percentUp, type Rate, sumInOne } from '../../lib/dashboard/screens/one-currency.ts';
import { limitsOf } from '../../lib/dashboard/screens/programme-limits.ts';

const readSum = (text: string) => {
  const [amount = '', currency = ''] = text.split(' ');
  return { amount, currency };
};
const now = Date.parse('2026-05-31T10:00:00Z');
const due = (hours: number, amount: string, currency = 'USD') => ({
  amount,
  currency,
  deadline: new Date(now + hours * 3_600_000).toISOString(),
  test: false,
});
const tried = (hours: number) => ({ ...due(hours, '98765432.10'), test: true });

const euro: Rate = { from: 'EUR', to: 'USD', rate: '1.165', source: 'ECB', set_at: '2026-05-30' };

describe('one currency', () => {
  it.each([
    [['10.00 USD', '2.00 EUR', '5.00 GBP'], 'USD', '12.33', ['GBP']],
    [['10.00 USD'], 'EUR', '0', ['USD']],
    [['-1.00 EUR'], 'USD', '-1.16', []],
    [['0.01 EUR', '100 JPY'], 'USD', '0.01', ['JPY']],
    [[], 'USD', '0', []],
  ])('adds up %j in %s by the rates that are set, and leaves other currencies out', (sums, currency, total, left) => {
    const sum = sumInOne(sums.map(readSum), currency, [euro]);
    expect([sum.total, sum.left.map((one) => one.currency)]).toEqual([{ amount: total, currency }, left]);
  });

  it.each([
    [['500.00 EUR'], 'JPY', ['500.00 EUR']],
    [['500.00 EUR', '3.00 GBP'], 'USD', ['582.50 USD', '3.00 GBP']],
    [['0.00 USD', '3.00 GBP'], 'USD', ['0.00 USD', '3.00 GBP']],
    [[], 'USD', ['0 USD']],
  ])('shows %j in %s as %j, without a zero where nothing has a rate', (sums, currency, parts) => {
    const shown = partsInOne(sums.map(readSum), currency, [euro]);
    expect(shown.map((one) => `${one.amount} ${one.currency}`)).toEqual(parts);
  });

  it('subtracts, and compares with an earlier sum where there was one', () => {
    expect(negate([readSum('3.00 USD'), readSum('-2 JPY')])).toEqual([readSum('-3.00 USD'), readSum('2 JPY')]);
    expect(percentUp(readSum('118.00 USD'), readSum('100.00 USD'))).toBe(18);
    expect(percentUp(readSum('118.00 USD'), readSum('0 USD'))).toBeUndefined();
  });
});

describe('the figures of Home', () => {
  it('sums open alerts by currency and three hours, with empty ones as 0, and leaves late ones out', () => {
    const [usd, eur] = sumRisk(
      [
        due(0.5, '1.10'),
        due(0.9, '2.20'),
        due(5, '4.00'),
        due(100, '7.00'),
        due(-1, '50.00'),
        due(2, '3.00', 'EUR'),
        tried(0.5),
        tried(100),
      ],
      now,
    );
    expect(usd).toMatchObject({ currency: 'USD', amount: '14.30', count: 4, later: { count: 1, amount: '7.00' } });
    expect(usd?.hours).toHaveLength(24);
    expect(usd?.hours.filter(({ count }) => count > 0)).toEqual([
      { from: 0, count: 2, amount: '3.30' },
      { from: 3, count: 1, amount: '4.00' },
    ]);
    expect(usd?.hours[2]).toEqual({ from: 6, count: 0, amount: '0' });
    expect(eur).toMatchObject({ currency: 'EUR', amount: '3.00', count: 1, later: null });
    expect(sumRisk([], now)).toEqual([]);
    expect(sumRisk([tried(3)], now)).toEqual([]);
  });

  it('counts an alert as late from its deadline on, and as due soon for six hours before', () => {
    const rows = [due(0, '1.00'), due(1, '2.00'), due(6, '3.00'), tried(-1), tried(1)];
    expect(splitByUrgency(rows, now)).toEqual({ late: [rows[0]], soon: [rows[1]] });
  });

  it('compares a month with as many days of the one before, which may be shorter', () => {
    expect(monthsToCompare(now)).toEqual({
      present: { from: '2026-05-01', to: '2026-05-31' },
      before: { from: '2026-04-01', to: '2026-04-30' },
    });
    expect(monthsToCompare(Date.parse('2026-01-05T10:00:00Z')).before).toEqual({
      from: '2025-12-01',
      to: '2025-12-05',
    });
  });

  it('marks the limit on a gauge, and only what is above it as excess', () => {
    expect(placeOnGauge(50, 100)).toEqual({ value: 33.3, limit: 66.7, over: 0 });
    expect(placeOnGauge(200, 100)).toEqual({ value: 50, limit: 50, over: 50 });
  });
});

describe('the projection of a month', () => {
  it.each([
    ['the pace up to the day of supply', '2026-11-24T10:00:00Z', '2026-11-25', 240, 300],
    ['nothing where that day is not known', null, '2026-11-25', 240, undefined],
    ['nothing of another month', '2026-10-24T10:00:00Z', '2026-11-25', 240, undefined],
    ['nothing from its first days', '2026-11-04T23:59:00Z', '2026-11-25', 240, undefined],
    ['nothing once the month is over', '2026-11-30T10:00:00Z', '2026-11-30', 240, undefined],
    ['the days of a short month', '2026-02-14T10:00:00Z', '2026-02-20', 41, 82],
  ] as const)('is %s', (_, supplied_at, today, numerator, end) => {
    expect(projectMonth({ numerator, supplied_at }, today)).toBe(end);
  });
});

it('distinguishes the limit of a count from that of a ratio which has the same number', () => {
  const row = {
    ...{ programme: 'HECM', title: 'HECM', status: 'near', limits_source: '', supplied_at: null },
    ...{ numerator: 240, denominator: 10_000, ratio_bps: 240, threshold_bps: 300, count_threshold: 300 },
    ...{ amount_usd: null, amount_threshold_usd: null },
  } as unknown as Parameters<typeof limitsOf>[0];
  expect(limitsOf(row).map(({ limit, isCount = false }) => [limit, isCount])).toEqual([
    [300, false],
    [300, true],
  ]);
});
