import { beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { fromTransactionItem } from '#payments/transactions/transaction/transaction-row.ts';
import { newTenant, type Tenant } from '#test/accounts/merchants/tenant.ts';
import { callsDuring } from '#test/disputes/alerts/seed.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { expectedVrfy, newShop, okResult, orderBody, testCards } from './shop.ts';

useOperations();

let shop: Tenant;
beforeAll(async () => {
  process.env['ALLOW_SANDBOX'] = 'true';
  // It keeps orders, so that a declined payment takes its own away again.
  shop = await newShop({ margin_percentage: '2' }, { order_insights: true, oi_merchant_id: 'oi-convert' });
  for (const [from, rate] of [
    ['EUR', '1.10'],
    ['JPY', '0.0065'],
  ]) {
    const { status } = await ask('pricing/set-rate', { body: { from, to: 'USD', rate, source: 'a test' } });
    expect(status).toBe(200);
  }
});

const convert = (own: Tenant, amount: string, change: Record<string, unknown> = {}) =>
  ask('transactions/convertnpay', {
    params: { id: own.sid },
    body: orderBody(own, amount, { currency: 'EUR', ...change }),
  });

describe('convertnpay', () => {
  it("charges in the site's currency, with the margin, and keeps what was asked for and how it was converted", async () => {
    const result = okResult(await convert(shop, '10.00', { tid: 'C1' }));
    // 10.00 × 1.10 × 1.02 = 11.22
    expect(result).toMatchObject({ status: 'OK', amount: 11.22, currency: 'USD', vrfy: expectedVrfy(shop, result) });
    const kept = fromTransactionItem((await getItem(keys.transaction(result.txid))) ?? {});
    expect(kept.conversion).toEqual({
      original: { minor: '1000', currency: 'EUR' },
      rate: '1.122',
      margin: '2',
      source: 'a test',
      at: expect.any(String),
    });
    expect(okResult(await convert(shop, '10.00', { tid: 'C1' }))).toEqual(result);
    expect(await convert(shop, '10.01', { tid: 'C1' })).toMatchObject({
      status: 409,
      body: { error_code: 'tid_reused' },
    });
  });

  it('makes no call more where orders are kept', async () => {
    const plain = await newShop({ margin_percentage: '2' });
    const callsAt = (own: Tenant, change: Record<string, unknown> = {}) =>
      callsDuring(() => convert(own, '10.00', change));
    // The first also reads the secret.
    await callsAt(plain);
    expect(await callsAt(shop)).toBe(await callsAt(plain));
    const declined = { card_no: testCards.declined };
    expect(await callsAt(shop, declined)).toBe(await callsAt(plain, declined));
  });

  it('minds the decimals of both currencies', async () => {
    expect(okResult(await convert(shop, '1000', { currency: 'JPY' }))).toMatchObject({ amount: 6.63, currency: 'USD' });
  });

  it("converts nothing that is in the site's currency already", async () => {
    expect(okResult(await convert(shop, '10.00', { currency: 'USD' }))).toMatchObject({ amount: 10, currency: 'USD' });
  });

  it('returns declines, a PREAUTH and an amount that the sandbox keeps pending', async () => {
    expect(okResult(await convert(shop, '10.00', { card_no: testCards.declined }))).toMatchObject({
      status: 'EXC',
      error_code: 'card_declined',
    });
    expect(okResult(await convert(shop, '10.00', { tx_action: 'PREAUTH' }))).toMatchObject({ tx_action: 'PREAUTH' });
  });

  it('refuses where there is no rate, a wrong hash, and a site that is not for payments', async () => {
    expect(await convert(shop, '10.00', { currency: 'GBP' })).toMatchObject({
      status: 409,
      body: { error_code: 'rate_missing' },
    });
    expect(await convert(shop, '10.00', { hash: 'f'.repeat(32) })).toMatchObject({ status: 401 });
    const plain = await newTenant();
    expect(await convert(plain, '10.00')).toMatchObject({ status: 409, body: { error_code: 'site_not_for_payments' } });
  });

  it('charges a card again without its code, where the site does that', async () => {
    const again = await newShop({ allow_rebilling: 1 });
    const change = { currency: 'USD' };
    expect(okResult(await convert(again, '10.00', change))).toMatchObject({ status: 'OK' });
    const repeated = await convert(again, '11.00', { ...change, card_ccv: undefined });
    expect(okResult(repeated)).toMatchObject({ status: 'OK' });
  });

  it('does what it declares', () => expectDeclared('transactions/convertnpay'));
});
