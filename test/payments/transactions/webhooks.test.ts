import { beforeEach, describe, expect, it } from 'vitest';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { captureHash } from '#payments/payments/order/hashes.ts';
import { captureThroughLedger } from '#payments/transactions/follow-up/capture-flow.ts';
import { refundThroughLedger } from '#payments/transactions/follow-up/refund-flow.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { useOperations } from '#test/support/operations.ts';
import { adyenRoute, routeTo, stripeRoute, useAccounts } from './accounts.ts';
import { newShop, pay, preauth, readStatus } from './shop.ts';
import { ledgerAt, paymentAt } from './support.ts';

useOperations();
const accounts = useAccounts();

let shop: Tenant;
beforeEach(async () => {
  shop = await newShop();
});

const found = async (processor: 'stripe' | 'adyen', reference: string | null) =>
  (await getItem(keys.processorReference(processor, reference ?? '')))?.['txid'];
const capture = async (txid: number, amount: string) => {
  const { sid, rcode } = shop;
  const order = { sid, parentTxid: txid, amount, proof: captureHash(sid, amount, rcode) };
  return (await captureThroughLedger(order)).transaction;
};
const refund = (parentTxid: number, minor: bigint) =>
  refundThroughLedger({ parentTxid, money: { minor, currency: 'USD' }, dispute: null, by: 'test' });

describe('by a reference of the processor a webhook finds', () => {
  it("a payment of Stripe's, also after it was captured under the same reference", async () => {
    await routeTo(shop, stripeRoute(accounts.stripe));
    const { txid } = await preauth(shop, '10.00');
    const { processorReference } = await paymentAt(txid);
    const captured = await capture(txid, '10.00');
    expect([captured.status, captured.processorReference]).toEqual(['OK', processorReference]);
    expect(await found('stripe', processorReference)).toBe(txid);
  });

  it("a payment of Stripe's after it was voided, and a refund", async () => {
    await routeTo(shop, stripeRoute(accounts.stripe));
    const { txid } = await preauth(shop, '10.00');
    const { processorReference } = await paymentAt(txid);
    expect(await refund(txid, 1000n)).toMatchObject({ action: 'VOID', status: 'OK', processorReference });
    expect(await found('stripe', processorReference)).toBe(txid);
    const paid = await pay(shop, '10.00');
    const refunded = await refund(paid.txid, 400n);
    expect(await found('stripe', refunded.processorReference)).toBe(refunded.txid);
  });

  it("a payment of Adyen's by what it waited under and by what it got in the end, and its capture", async () => {
    await routeTo(shop, adyenRoute(accounts.adyen));
    const { txid, status } = await preauth(shop, '10.00', { card_no: '4000000000000077' });
    const waiting = (await paymentAt(txid)).processorReference;
    expect([status, waiting]).toEqual(['PEND', expect.stringMatching(`^${txid}-`)]);
    accounts.adyen.finishPending();
    await accounts.tell(shop, 'adyen', ...accounts.adyen.takeWebhooks());
    const done = await paymentAt(txid);
    expect([done.status, done.processorReference]).toEqual(['OK', expect.stringMatching(/^FAKE\d+$/)]);
    expect([await found('adyen', waiting), await found('adyen', done.processorReference)]).toEqual([txid, txid]);

    const captured = await capture(txid, '10.00');
    expect(captured.status).toBe('PEND');
    expect(await found('adyen', captured.processorReference)).toBe(captured.txid);
    await accounts.tell(shop, 'adyen', ...accounts.adyen.takeWebhooks());
    expect(await readStatus(shop, captured.txid)).toMatchObject({ status: 'OK', tx_action: 'CAPTURE' });
    expect(await ledgerAt(txid)).toMatchObject({ captured: 1000n, inFlight: {} });
  });
});
