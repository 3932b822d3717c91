import { beforeAll, describe, expect, it } from 'vitest';
import { captureHash, siteHash } from '#payments/payments/order/hashes.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { callsDuring } from '#test/disputes/alerts/seed.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { expectedVrfy, newShop, okResult, pay, preauth, type Result } from './shop.ts';
import { ledgerAt, useSandbox } from './support.ts';

/** The later information of a site about its transactions, and the numbers by which it may go on with them. */

useOperations();
useSandbox();

let shop: Tenant;
beforeAll(async () => {
  shop = await newShop();
});

const statusHash = ({ sid, rcode }: Tenant): string => siteHash(sid, rcode);
const byTxid = (txid: number, of: Tenant = shop) =>
  ask('transactions/getstatus', { params: { id: txid }, query: { hash: statusHash(of) } });
const byTid = (tid: string, of: Tenant = shop, hash = statusHash(of)) =>
  ask('transactions/getbytid', { params: { id: of.sid }, query: { tid, hash } });
const refund = async (txid: number, amount: string, change: Record<string, unknown> = {}): Promise<Result> => {
  const body = { amount, currency: 'USD', ...change };
  return okResult(await ask('refunds/processrefund', { as: shop.as, params: { parentxid: txid }, body }));
};
const capture = async (txid: number, amount: string): Promise<Result> => {
  const hash = captureHash(shop.sid, amount, shop.rcode);
  return okResult(
    await ask('transactions/flagcapture', { params: { id: shop.sid }, body: { parent_txid: txid, amount, hash } }),
  );
};

describe('a result', () => {
  it('names its site, and the amount as vrfy hashes it', async () => {
    const result = await pay(shop, '10.5');
    expect(result).toMatchObject({ sid: shop.sid, amount: 10.5, amount_text: '10.50' });
    expect(result.vrfy).toBe(expectedVrfy(shop, result));
  });
});

describe('getstatus', () => {
  it('tells what was captured and refunded since, and by which transactions', async () => {
    const { txid } = await preauth(shop, '20.00', { tid: 'held-1' });
    const before = { captured: '0.00', refunded: '0.00', refundable: '0.00', children: [] };
    expect(okResult(await byTxid(txid))).toMatchObject({ status: 'OK', tx_action: 'PREAUTH', ...before });
    const captured = await capture(txid, '20.00');
    const refunded = await refund(txid, '5.00', { tid: 'refund-1' });
    const refused = await refund(txid, '1.66');
    expect(okResult(await byTxid(txid))).toMatchObject({
      ...{ captured: '20.00', refunded: '5.00', refundable: '13.34' },
      children: [
        { txid: captured.txid, tx_action: 'CAPTURE', status: 'OK', amount: 20, amount_text: '20.00', currency: 'USD' },
        { txid: refunded.txid, tx_action: 'REFUND', status: 'OK', amount_text: '5.00', tid: 'refund-1' },
        { txid: refused.txid, tx_action: 'REFUND', status: refused.status, amount_text: '1.66' },
      ],
    });
    expect(okResult(await byTxid(refunded.txid))).toMatchObject({
      ...{ txid: refunded.txid, parent_txid: txid, captured: '20.00', refunded: '5.00', children: [] },
    });
  });

  it('takes two calls of the table, and a third where something was done to the payment', async () => {
    const { txid } = await pay(shop, '12.00');
    expect(await callsDuring(() => byTxid(txid))).toBe(2);
    await refund(txid, '2.00');
    expect(await callsDuring(() => byTxid(txid))).toBe(3);
  });
});

describe('getbytid', () => {
  it('finds a payment and a refund by the reference of the shop', async () => {
    const payment = await pay(shop, '10.00', { tid: 'order 4711' });
    const refunded = await refund(payment.txid, '3.00', { tid: 'return 4711' });
    expect(okResult(await byTid('order 4711'))).toMatchObject({
      ...{ txid: payment.txid, tid: 'order 4711', status: 'OK', vrfy: payment.vrfy },
      ...{ refunded: '3.00', children: [{ txid: refunded.txid }] },
    });
    expect(okResult(await byTid('return 4711'))).toMatchObject({ txid: refunded.txid, parent_txid: payment.txid });
  });

  it('knows no reference of another site, and does not reveal which sites exist', async () => {
    const other = await newShop();
    await pay(shop, '10.00', { tid: 'ours' });
    const none = await byTid('ours', other);
    expect(none).toMatchObject({ status: 404, body: { error_code: 'transaction_not_found' } });
    const refusals = [await byTid('ours', shop, statusHash(other)), await byTid('ours', { ...shop, sid: 999_999_999 })];
    for (const answer of refusals) expect(answer).toMatchObject({ status: 401, body: { error_code: 'hash_wrong' } });
    expect(refusals[0]?.body).toEqual(refusals[1]?.body);
  });
});

describe('a refund', () => {
  it('may name the capture in place of the payment', async () => {
    const { txid } = await preauth(shop, '20.00');
    const captured = await capture(txid, '20.00');
    const refunded = await refund(captured.txid, '4.00', { tid: 'by-capture' });
    expect(refunded).toMatchObject({ status: 'OK', parent_txid: txid, amount_text: '4.00' });
    expect(await refund(txid, '4.00', { tid: 'by-capture' })).toMatchObject({ txid: refunded.txid });
    expect(await ledgerAt(txid)).toMatchObject({ refunded: 400n });
  });

  it("may name neither a refund, nor another site's capture", async () => {
    const { txid } = await preauth(shop, '20.00');
    const captured = await capture(txid, '20.00');
    const refunded = await refund(txid, '4.00');
    const body = { amount: '1.00', currency: 'USD' };
    const none = { status: 404, body: { code: 'transaction_not_found' } };
    expect(
      await ask('refunds/processrefund', { as: shop.as, params: { parentxid: refunded.txid }, body }),
    ).toMatchObject(none);
    const other = await newShop();
    expect(
      await ask('refunds/processrefund', { as: other.as, params: { parentxid: captured.txid }, body }),
    ).toMatchObject(none);
  });
});

it.each(['transactions/getstatus', 'transactions/getbytid'])('%s does and refuses what it declares', expectDeclared);
