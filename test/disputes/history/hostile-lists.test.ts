import { describe, expect, it } from 'vitest';
import { addCharge, noStatistics } from '#disputes/history/import/charge-statistics.ts';
import { afterCharges, type HistoryImport, newImport } from '#disputes/history/import/history-import.ts';
import type { ChargeCandidate } from '#payments/processors/ports/connected-processor.ts';

/** Lists of charges that a correct service would not send. */

const at = '2026-05-20T12:00:00.000Z';
const charge = (change: Partial<ChargeCandidate>): ChargeCandidate => ({
  ...{ reference: 'ch-1', secondReference: '', type: 'sale', date: at, money: { minor: 100n, currency: 'USD' } },
  ...{ first6: '411111', last4: '1111', authCode: null, arn: null, captured: 100n, refunded: 0n },
  ...{ isChargedBack: true, isSettled: true, isUnclear: false, subscription: null, descriptor: '' },
  ...change,
});

const begun = newImport(
  {
    ...{ id: 'imp_1', mid: 1, connection: 'cn_1', kind: 'http', parts: ['charges'], by: 'ann' },
    ...{ from: '2026-05-01T00:00:00.000Z', to: at },
  },
  at,
);
const readPage = (one: HistoryImport, next: string) =>
  afterCharges(one, { charges: [], next }, { orders: 0, refunds: 0 }, at);

describe('the statistics of an import', () => {
  it('count at most 1000 months with schemes, so that their row stays small', () => {
    const years = Array.from({ length: 1500 }, (_, n) => `${1000 + n}-01-01T00:00:00.000Z`);
    const { months } = years.reduce((sums, date) => addCharge(sums, charge({ date }), true), noStatistics);
    expect(Object.keys(months)).toHaveLength(1000);
    expect(months['1000-01|VISA']).toEqual({ settled: 1, charged_back: 1 });
  });
});

describe('afterCharges', () => {
  it('fails an import whose list repeats its cursor, in a state that can be written', () => {
    const first = readPage(begun, 'a');
    expect(first).toMatchObject({ state: 'RUNNING', pages: 1 });
    const second = readPage(first, 'a');
    expect(second).toMatchObject({ state: 'FAILED', version: first.version + 1 });
    expect(second.trouble).toContain('without end');
  });

  it('fails an import whose week has more than 10,000 pages', () => {
    expect(readPage({ ...begun, cursor: 'a', pages: 9999 }, 'b').state).toBe('RUNNING');
    expect(readPage({ ...begun, cursor: 'a', pages: 10_000 }, 'b').state).toBe('FAILED');
  });
});
