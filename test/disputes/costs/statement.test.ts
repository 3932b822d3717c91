import { describe, expect, it } from 'vitest';
import type { AlertCost } from '#disputes/alerts/cost/cost.ts';
import { compareStatement, type KnownCase, type StatementLine } from '#disputes/costs/statement/statement.ts';

const cost = (caseId: string, change: Partial<AlertCost> = {}): AlertCost => ({
  ...{ alertId: 1001, mid: 7, rid: 8, sid: 9, provider: 'provider_a', caseId, type: 'DISPUTE' },
  ...{ receivedAt: '2026-05-02T10:00:00.000Z', price: { amount: '25.00', currency: 'USD' } },
  ...{ credit: { state: 'none', reason: null, evidence: {} }, saved: null, entries: [], version: 1 },
  ...change,
});
const line = (number: number, caseId: string, minor = 2500n, change: Partial<StatementLine> = {}): StatementLine => ({
  ...{ line: number, caseId, kind: 'charge', amount: { minor, currency: 'USD' } },
  ...change,
});
const known: Readonly<Record<string, KnownCase>> = {
  A: cost('A'),
  B: cost('B', { alertId: 1002 }),
  FREE: cost('FREE', { price: null }),
  TEST: 'unassigned',
};
const compare = (lines: StatementLine[], expected: AlertCost[] = []) =>
  compareStatement(lines, (caseId) => known[caseId], expected);

describe('compareStatement', () => {
  it('finds nothing wrong with alerts that were received and have the agreed price', () => {
    expect(compare([line(2, 'A'), line(3, 'B')])).toEqual({
      ...{ lines: 2, findings: [] },
      totals: [{ currency: 'USD', billed: '50.00', credited: '0.00', questioned: '0.00' }],
    });
  });

  it('finds what was never received, billed twice, and belongs to no merchant', () => {
    const { findings, totals } = compare([line(2, 'X'), line(3, 'A'), line(4, 'A'), line(5, 'TEST')]);
    expect(findings).toMatchObject([
      { finding: 'never_received', line: 2, case_id: 'X', alert_id: null, amount: '25.00' },
      { finding: 'billed_twice', line: 4, case_id: 'A', alert_id: 1001, mid: 7 },
      { finding: 'unassigned', line: 5, case_id: 'TEST', alert_id: null },
    ]);
    expect(totals).toEqual([{ currency: 'USD', billed: '100.00', credited: '0.00', questioned: '75.00' }]);
  });

  it('finds a price other than agreed, and questions the difference alone', () => {
    const { findings, totals } = compare([line(2, 'A', 3000n), line(3, 'FREE', 9900n)]);
    expect(findings).toMatchObject([{ finding: 'other_price', amount: '30.00', agreed: '25.00' }]);
    expect(totals[0]?.questioned).toBe('5.00');
  });

  it('questions nothing where less than agreed is billed', () => {
    const { findings, totals } = compare([line(2, 'A', 2450n), line(3, 'X')]);
    expect(findings).toMatchObject([{ finding: 'other_price', amount: '24.50' }, { finding: 'never_received' }]);
    expect(totals[0]?.questioned).toBe('25.00');
    expect(compare([line(2, 'A', 2450n)]).totals[0]?.questioned).toBe('0.00');
  });

  it('finds another currency than agreed', () => {
    const euros = line(2, 'A', 2500n, { amount: { minor: 2500n, currency: 'EUR' } });
    const { findings, totals } = compare([euros]);
    expect(findings).toMatchObject([
      { finding: 'other_price', currency: 'EUR', agreed: '25.00', agreed_currency: 'USD' },
    ]);
    expect(totals[0]).toMatchObject({ currency: 'EUR', questioned: '25.00' });
  });

  it('finds credits that are missing, and credits of unknown cases', () => {
    const credit = (number: number, caseId: string) => line(number, caseId, 2500n, { kind: 'credit' });
    const { findings, totals } = compare([line(2, 'A'), credit(3, 'A'), credit(4, 'X')], [cost('A'), cost('B')]);
    expect(findings).toMatchObject([
      { finding: 'credit_unknown', line: 4, case_id: 'X' },
      { finding: 'credit_missing', line: null, case_id: 'B', amount: '25.00' },
    ]);
    expect(totals).toEqual([{ currency: 'USD', billed: '25.00', credited: '50.00', questioned: '25.00' }]);
  });
});
