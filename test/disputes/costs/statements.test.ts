import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { queryItems } from '#core/platform/table/table.ts';
import type { Finding } from '#disputes/costs/statement/statement.ts';
import { readProviderStatement, storeStatement } from '#disputes/costs/statement/statement-report-store.ts';
import { ask, beforePuts, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();

const atTime = <T>(time: string, work: () => Promise<T>): Promise<T> => {
  setClock(() => Date.parse(time));
  return work();
};
afterEach(() => setClock());

const finding = (line: number): Finding => ({
  ...{
    finding: line % 2 === 0 ? 'never_received' : 'billed_twice',
    line,
    case_id: `CASE-${line}`,
    alert_id: null,
    mid: null,
  },
  ...{ amount: '25.00', currency: 'USD', agreed: null, agreed_currency: null },
});
const comparison = (count: number) => ({
  lines: 40,
  findings: Array.from({ length: count }, (_, index) => finding(index + 1)),
  totals: [{ currency: 'USD', billed: '1000.00', credited: '0.00', questioned: '125.00' }],
  claimable: [1001],
});
/** Each test has a month of its own. */
let may: { provider: 'provider_a'; month: string };
let last = 0;
beforeEach(() => {
  last += 1;
  may = { provider: 'provider_a', month: `2026-${String(last).padStart(2, '0')}` };
});
const read = async (body: object) => (await ask('costs/statements', { body })).body as Record<string, unknown>;
const rowsOfFindings = async (): Promise<number> => {
  const { pk } = keys.statementFindings(may.provider, may.month, '', 0);
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } };
  return (await queryItems(query)).items.length;
};

describe('stored statements', () => {
  it('are listed with their totals, the newest month first', async () => {
    await storeStatement(may, comparison(3));
    await storeStatement({ provider: 'provider_b', month: '2026-12' }, comparison(0));
    expect(await read({})).toMatchObject({
      statements: [
        { provider: 'provider_b', month: '2026-12', findings: {} },
        {
          ...may,
          lines: 40,
          findings: { billed_twice: 2, never_received: 1 },
          totals: [{ billed: '1000.00' }],
          claimable: [1001],
        },
      ],
      findings: [],
      next_page: null,
    });
  });

  it('show what was found page by page', async () => {
    await storeStatement(may, comparison(5), 2);
    const lines = async (page: number) => {
      const { findings, next_page } = await read({ ...may, page });
      return [(findings as Finding[]).map(({ line }) => line), next_page];
    };
    expect([await lines(0), await lines(1), await lines(2)]).toEqual([
      [[1, 2], 1],
      [[3, 4], 2],
      [[5], null],
    ]);
    expect(await lines(7)).toEqual([[], null]);
  });

  it('replace an earlier import of the month, and remove its findings', async () => {
    await atTime('2026-06-30T00:00:00.000Z', () => storeStatement(may, comparison(5), 2));
    await atTime('2026-07-01T00:00:00.000Z', () => storeStatement(may, comparison(1), 2));
    expect(await read(may)).toMatchObject({ statements: [{ findings: { billed_twice: 1 } }], findings: [{ line: 1 }] });
    expect(await rowsOfFindings()).toBe(1);
  });

  it('are whole if an import is cut off, and the next import removes what it left', async () => {
    await atTime('2026-06-30T00:00:00.000Z', () => storeStatement(may, comparison(5), 2));
    let puts = 0;
    beforePuts(async () => {
      puts += 1;
      if (puts === 2) throw new Error('killed');
    });
    await expect(atTime('2026-07-01T00:00:00.000Z', () => storeStatement(may, comparison(3), 1))).rejects.toThrow(
      'killed',
    );
    beforePuts();
    expect((await readProviderStatement(may.provider, may.month, 2)).findings).toHaveLength(1);
    await atTime('2026-07-02T00:00:00.000Z', () => storeStatement(may, comparison(1), 2));
    expect(await rowsOfFindings()).toBe(1);
  });

  it.each([
    ['its first findings', 'later', 1, '2026-07-01T00:00:01.000Z'],
    ['its last findings', 'in the same millisecond', 2, '2026-07-01T00:00:00.000Z'],
    ['its report', 'in the same millisecond', 3, '2026-07-01T00:00:00.000Z'],
    ['its report', 'by a clock that is behind', 3, '2026-06-30T23:59:59.000Z'],
    ['its report', 'later', 3, '2026-07-01T00:00:01.000Z'],
  ])('keep all findings if another import ends before %s are stored, %s', async (_, __, at, otherAt) => {
    await atTime('2026-06-30T00:00:00.000Z', () => storeStatement(may, comparison(1), 2));
    let puts = 0;
    beforePuts(async () => {
      puts += 1;
      if (puts !== at) return;
      beforePuts();
      await atTime(otherAt, () => storeStatement(may, comparison(3), 2));
    });
    const { report } = await atTime('2026-07-01T00:00:00.000Z', () => storeStatement(may, comparison(4), 2));
    expect(report.importedAt > otherAt, 'the later import replaces the other').toBe(true);
    expect(report.findings).toEqual({ billed_twice: 2, never_received: 2 });
    const pages = await Promise.all([0, 1].map((page) => readProviderStatement(may.provider, may.month, page)));
    expect(pages.flatMap(({ findings }) => findings.map(({ line }) => line))).toEqual([1, 2, 3, 4]);
    expect(await rowsOfFindings()).toBe(2);
  });

  it('do not exist for other months, and need the provider with the month', async () => {
    expect(await ask('costs/statements', { body: may })).toMatchObject({ status: 404 });
    expect(await ask('costs/statements', { body: { month: '2026-05' } })).toMatchObject({ status: 400 });
    expect(await ask('costs/statements', { as: { mid: 1 }, body: {} })).toMatchObject({ status: 403 });
  });

  it('need what the declaration grants', () => expectDeclared('costs/statements'));
});
