import { expect, it } from 'vitest';
import { isAvoided } from '#disputes/reports/avoided.ts';
import { breakDown, findGreatestChange, nameAnswerer, spanBefore } from '#lib/dashboard/screens/breakdown.ts';

const row = (change: object = {}) => ({
  ...({ status: 'RESOLVED', reason_code: '100.001', late: false, test: false, alert_type: 'DISPUTE' } as const),
  ...{ amount: '10.00', currency: 'USD', refunded_by: null, bank: 'A', ...change },
});

it.each([
  [{}, true],
  [{ reason_code: '103.002' }, false],
  [{ late: true }, false],
  [{ test: true }, false],
  [{ status: 'DECLINED' }, false],
  [{ reason_code: null, alert_type: 'DISPUTE_RDR' }, true],
  [{ reason_code: null }, false],
])('counts an alert with %j as avoided: %s, as the report does', (change, is) =>
  expect(isAvoided(row(change))).toBe(is),
);

it('sums what was avoided by a trait, the largest first, against the period before, in one currency', () => {
  const now = [row(), row(), row({ bank: 'B', amount: '30.00' }), row({ bank: 'C', currency: 'EUR' })];
  const then = [row({ amount: '16.00' }), row({ bank: 'D' })];
  const shown = breakDown(now, then, ({ bank }) => bank, { currency: 'USD', rates: [] });
  expect(
    shown.map(({ name, count, present, before, change }) => [name, count, present.amount, before.amount, change]),
  ).toEqual([
    ['B', 1, '30.00', '0', undefined],
    ['A', 2, '20.00', '16.00', 25],
    ['C', 1, '0', '0', undefined],
    ['D', 0, '0', '10.00', -100],
  ]);
  expect(findGreatestChange(shown)).toMatchObject({ part: { name: 'B' }, by: { amount: '30.00' }, isMore: true });
  expect(findGreatestChange(shown.slice(1))).toMatchObject({
    part: { name: 'D' },
    by: { amount: '10.00' },
    isMore: false,
  });
  expect(findGreatestChange(shown.slice(2, 3))).toBeUndefined();
});

it.each([
  ['2026-11-01', '2026-11-30', '2026-11-24', '2026-10-01', '2026-10-24'],
  ['2026-11-01', '2026-11-30', '2026-12-24', '2026-10-01', '2026-10-31'],
  ['2026-03-01', '2026-03-31', '2026-03-31', '2026-02-01', '2026-02-28'],
  ['2026-03-01', '2026-03-31', '2026-03-30', '2026-02-01', '2026-02-28'],
  ['2026-11-10', '2026-11-16', '2026-11-24', '2026-11-03', '2026-11-09'],
  ['2026-01-01', '2026-12-31', '2026-11-24', '2025-02-07', '2025-12-31'],
  ['2026-04-01', '2026-04-20', '2026-05-02', '2026-03-01', '2026-03-20'],
])('compares %s to %s, as of %s, with %s to %s', (from, to, today, begin, end) =>
  expect(spanBefore({ from, to }, today)).toEqual({ from: begin, to: end }),
);

it.each([
  ['the rule that answered', { id: 3, name: 'Small gifts' }, '100.001', 'Small gifts'],
  ['people', null, '100.001', 'People'],
  ['Visa RDR, which decides without an answer', null, null, 'Visa RDR'],
])('names %s of an avoided alert', (_, rule, code, name) =>
  expect(nameAnswerer({ rule, reason_code: code } as never)).toBe(name),
);
