import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { putItem } from '#core/platform/table/table.ts';
import { type Fee, feeFor, feeOn, feeProblems } from '#payments/pricing/fees/fee.ts';
import { rateWrites } from '#payments/pricing/rates/rate-row.ts';
import { ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';
import { seedPayingSite } from './seed.ts';

useOperations();
const start = Date.parse('2026-05-02T10:00:00Z');
beforeEach(() => setClock(() => start));
afterEach(() => setClock());

const rateBody = (change: Record<string, unknown> = {}) => ({
  from: 'USD',
  to: 'EUR',
  rate: '0.92',
  source: 'ECB',
  ...change,
});
const listed = async (body: Record<string, unknown> = {}) => {
  const { status, body: reply } = await ask('pricing/list-rates', { as: { mid: 1 }, body });
  expect(status).toBe(200);
  return reply as { list: { from: string; to: string; rate: string; set_at: string }[]; next_cursor: string | null };
};
const set = async (change: Record<string, unknown>, minute: number) => {
  setClock(() => start + minute * 60_000);
  expect(await ask('pricing/set-rate', { body: rateBody(change) })).toMatchObject({ status: 200 });
};

describe('an exchange rate', () => {
  it('is kept with its source, its time and who set it', async () => {
    expect(await ask('pricing/set-rate', { body: rateBody({ from: 'GBP', rate: '1.17000001' }) })).toMatchObject({
      status: 200,
      body: {
        from: 'GBP',
        to: 'EUR',
        rate: '1.17000001',
        source: 'ECB',
        set_at: '2026-05-02T10:00:00.000Z',
        set_by: 'root',
      },
    });
  });

  it.each([
    [{ rate: '0' }, 'rate: must be a decimal above 0 with at most 8 decimals, as text'],
    [{ rate: '0.00000000' }, 'rate: must be a decimal above 0 with at most 8 decimals, as text'],
    [{ rate: '0.123456789' }, 'rate: must be a decimal above 0 with at most 8 decimals, as text'],
    [{ rate: '-1' }, 'rate: must be a decimal above 0 with at most 8 decimals, as text'],
    [{ rate: '1e3' }, 'rate: must be a decimal above 0 with at most 8 decimals, as text'],
    [{ rate: 0.92 }, 'rate: must be a decimal above 0 with at most 8 decimals, as text'],
    [{ from: 'usd' }, 'from: must be a currency code of ISO 4217, such as USD'],
    [{ from: 'EUR' }, 'to: must be another currency than from'],
  ])('is refused with %j', async (change, details) => {
    expect(await ask('pricing/set-rate', { body: rateBody(change) })).toMatchObject({ status: 400, body: { details } });
  });

  it('is for administrators to set', async () => {
    expect(await ask('pricing/set-rate', { as: { mid: 1 }, body: rateBody() })).toMatchObject({ status: 403 });
  });

  it('has a history that is read page by page, newest first', async () => {
    for (const [minute, rate] of ['100', '101', '102'].entries()) await set({ to: 'JPY', rate }, minute);
    const first = await listed({ from: 'USD', to: 'JPY', size: 2 });
    expect(first.list.map(({ rate }) => rate)).toEqual(['102', '101']);
    const second = await listed({ from: 'USD', to: 'JPY', size: 2, cursor: first.next_cursor });
    expect(second).toMatchObject({ list: [{ rate: '100', set_at: '2026-05-02T10:00:00.000Z' }], next_cursor: null });
  });

  it('is listed with those in force of all pairs, each once', async () => {
    await set({ from: 'AUD', rate: '0.5' }, 10);
    await set({ from: 'AUD', rate: '0.6' }, 11);
    await set({ from: 'NZD', rate: '0.4' }, 12);
    const first = await listed({ size: 1 });
    const rest = await listed({ size: 500, cursor: first.next_cursor });
    const pairs = [...first.list, ...rest.list].map(({ from, to, rate }) => `${from}${to} ${rate}`);
    expect(pairs.slice(0, 2)).toEqual(['NZDEUR 0.4', 'AUDEUR 0.6']);
    expect(new Set(pairs).size).toBe(pairs.length);
    expect(rest.next_cursor).toBeNull();
  });

  it('is not listed by half a pair', async () => {
    expect(await ask('pricing/list-rates', { body: { from: 'USD' } })).toMatchObject({
      status: 400,
      body: { details: 'from: give from and to, or neither' },
    });
  });

  it('does not take the place of one that was set later, as clocks may differ', async () => {
    const later = { from: 'CAD', to: 'EUR', rate: '0.7', source: 'ECB', at: '2026-05-02T10:00:00.001Z', by: 'other' };
    beforeTransactions(async () => {
      for (const { Put } of rateWrites(later)) await putItem(Put?.Item ?? {});
    });
    expect(await ask('pricing/set-rate', { body: rateBody({ from: 'CAD' }) })).toMatchObject({ status: 409 });
    beforeTransactions();
    expect((await listed({ from: 'CAD', to: 'EUR' })).list).toMatchObject([{ rate: '0.7' }]);
  });

  it('is declared as it behaves', () => ['pricing/set-rate', 'pricing/list-rates'].forEach(expectDeclared));
});

const aFee = (change: Partial<Fee> = {}): Fee => ({
  paymethod: 'VISA',
  percentage: '2.9',
  fixed: '0.30',
  currency: 'USD',
  ...change,
});

describe('a fee', () => {
  it.each([
    ['percentage and fixed part', 10_000n, aFee(), 320n],
    ['a half to the even one', 50n, aFee({ percentage: '1', fixed: '0' }), 0n],
    ['a half to the even one above', 150n, aFee({ percentage: '1', fixed: '0' }), 2n],
    ['only a percentage in any currency', 10_000n, aFee({ currency: null, fixed: '0' }), 290n],
    ['nothing where there is none', 10_000n, undefined, 0n],
  ])('comes to %s', (_name, minor, fee, expected) => {
    expect(feeOn({ minor, currency: 'USD' }, fee)).toBe(expected);
  });

  it('is that of the method in its currency before that in any', () => {
    const [usd, any, amex] = [aFee(), aFee({ currency: null, fixed: '0' }), aFee({ paymethod: 'AMEX' })];
    const fees = [any, amex, usd];
    expect(feeFor(fees, 'VISA', 'USD')).toBe(usd);
    expect(feeFor(fees, 'VISA', 'EUR')).toBe(any);
    expect(feeFor(fees, 'AMEX', 'EUR')).toBeUndefined();
  });

  it('is refused if it stands twice, is in no currency, or has too many decimals', () => {
    expect(feeProblems([aFee(), aFee(), aFee({ currency: null }), aFee({ currency: 'JPY', fixed: '0.5' })])).toEqual([
      'fees.1: is the second for VISA in USD',
      'fees.2.currency: is required for a fixed fee',
      'fees.3.fixed: has more decimals than JPY has (0)',
    ]);
  });
});

describe('the fees of a site', () => {
  const shown = { sid: 0, fees: [aFee(), aFee({ paymethod: 'AMEX', currency: null, fixed: '0' })] };

  it('are set by an administrator in place of those before, and seen by the merchant', async () => {
    const { site, sid } = await seedPayingSite();
    const fees = [aFee(), { paymethod: 'amex', percentage: 2.9 }];
    expect(
      await ask('pricing/set-fees', { params: { sid }, body: { fees: [aFee({ paymethod: 'JCB' })] } }),
    ).toMatchObject({
      status: 200,
    });
    const saved = await ask('pricing/set-fees', { params: { sid }, body: { fees } });
    expect(saved).toMatchObject({ status: 200, body: { ...shown, sid, set_by: 'root' } });
    const seen = await ask('pricing/list-fees', { as: { mid: site.mid }, params: { sid } });
    expect(seen.body).toEqual(saved.body);
  });

  it('are none before they are set', async () => {
    const { sid } = await seedPayingSite();
    expect((await ask('pricing/list-fees', { params: { sid } })).body).toEqual({
      sid,
      fees: [],
      set_at: null,
      set_by: null,
    });
  });

  it('are no other merchant’s to see, nor a merchant’s to set', async () => {
    const { site, sid } = await seedPayingSite();
    const body = { fees: [] };
    const missing = { status: 404, body: { details: 'sid: you have no such site.' } };
    expect(await ask('pricing/set-fees', { as: { mid: site.mid }, params: { sid }, body })).toMatchObject({
      status: 403,
    });
    expect(await ask('pricing/list-fees', { as: { mid: 1 }, params: { sid } })).toMatchObject(missing);
    expect(await ask('pricing/list-fees', { as: { mid: 1 }, params: { sid: 999_999 } })).toMatchObject(missing);
    expect(await ask('pricing/set-fees', { params: { sid: 999_999 }, body })).toMatchObject(missing);
  });

  it('are refused for a site that takes no payments, and where they are wrong', async () => {
    const { sid } = await seedPayingSite({ type: 'alert' });
    expect(await ask('pricing/set-fees', { params: { sid }, body: { fees: [] } })).toMatchObject({ status: 409 });
    const details = 'fees.1: is the second for VISA in USD';
    expect(await ask('pricing/set-fees', { params: { sid }, body: { fees: [aFee(), aFee()] } })).toMatchObject({
      status: 400,
      body: { details },
    });
  });

  it('are declared as they behave', () => ['pricing/set-fees', 'pricing/list-fees'].forEach(expectDeclared));
});
