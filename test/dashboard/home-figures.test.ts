import { describe, expect, it } from 'vitest';
import {
  countDeliveries,
  monthsToCompare,
  placeOnGauge,
  splitByUrgency,
  sumRisk,
} from '../../lib/dashboard/screens/home-figures.ts';

const now = Date.parse('2026-05-31T10:00:00Z');
const due = (hours: number, amount: string, currency = 'USD') => ({
  amount,
  currency,
  deadline: new Date(now + hours * 3_600_000).toISOString(),
  test: false,
});
const tried = (hours: number) => ({ ...due(hours, '98765432.10'), test: true });

describe('the figures of Home', () => {
  it('sums open alerts by currency and hour, with empty hours as 0, and leaves late ones out', () => {
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
    expect(usd?.hours).toHaveLength(72);
    expect(usd?.hours.filter(({ count }) => count > 0)).toEqual([
      { from: 0, count: 2, amount: '3.30' },
      { from: 5, count: 1, amount: '4.00' },
    ]);
    expect(usd?.hours[1]).toEqual({ from: 1, count: 0, amount: '0' });
    expect(eur).toMatchObject({ currency: 'EUR', amount: '3.00', count: 1, later: null });
    expect(sumRisk([], now)).toEqual([]);
    expect(sumRisk([tried(3)], now)).toEqual([]);
  });

  it('counts an alert as late from its deadline on, and as due soon for six hours before', () => {
    const rows = [due(0, '1.00'), due(1, '2.00'), due(6, '3.00'), tried(-1), tried(1)];
    expect(splitByUrgency(rows, now)).toEqual({ late: [rows[0]], soon: [rows[1]] });
  });

  it('counts what endpoints accepted and refused by host, the failing first', () => {
    const sent = (state: string, host: string, error: string | null) => ({
      ...{ state, url: `https://${host}/hook` },
      attempts: [{ error }],
    });
    const never = { state: 'PENDING', url: null, attempts: [] };
    expect(
      countDeliveries([
        sent('DELIVERED', 'a.example', null),
        sent('PENDING', 'b.example', 'timeout'),
        sent('EXPIRED', 'b.example', 'timeout'),
        sent('CANCELLED', 'c.example', 'timeout'),
        never,
      ]),
    ).toEqual([
      { host: 'b.example', delivered: 0, failed: 2 },
      { host: 'a.example', delivered: 1, failed: 0 },
    ]);
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
