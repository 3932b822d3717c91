import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alertOf, expectNoErrors, formsFor, merchantToken, receive, settings, update } from '#test/support/personas.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';
import { openShop, type Result, type Shop } from '#test/support/storefront.ts';

/** The effects of a dispute alert on its payment. */
let service: TestStack;
let shop: Shop;
beforeAll(async () => {
  service = await startStack({ startTime: '2026-05-02T10:00:00Z' });
  shop = openShop(service);
  await settings(service, { max_refund_amount: '100.00' });
});
afterAll(() => service.stop());

/** An alert about a payment; of the payments here no two have the same amount. */
const dispute = (paid: Result): Promise<number> =>
  receive(service, {
    ...{ cardBin: '424242', cardLast4: '4242', authCode: undefined },
    amount: { value: paid.amount.toFixed(2), currencyCode: paid.currency },
    transactionTimestamp: service.clock.now().toISOString(),
  });
const rules = async (path: string, body: Record<string, unknown> = {}): Promise<number> => {
  const reply = await service.call(`/api/v3/service_alerts/rules/${path}`, {
    token: await merchantToken(service),
    body,
  });
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return Number(reply.body['rule_id']);
};
const reservedUsd = async () => (await shop.balance()).find(({ currency }) => currency === 'USD')?.reserved ?? 0;
const detailsIn = (alertId: number) => {
  const form = formsFor(service, alertId).find((one) => one.get('action') === null);
  return JSON.parse(form?.get('txdetails') ?? 'null');
};

describe('a payment with an open dispute alert', () => {
  it('is held as far as it goes, and free again once the merchant has declined', async () => {
    const paid = await shop.pay('50.00');
    await shop.refund(paid.txid, '10.00');
    const before = await reservedUsd();
    const alertId = await dispute({ ...paid });
    expect(await reservedUsd()).toBe(before + 40);
    await update(service, { alert_id: String(alertId), status: 'DECLINED', reason_code: '902.002' });
    expect(await reservedUsd()).toBe(before);
    expect(await shop.refund(paid.txid, '40.00')).toMatchObject({ status: 'OK', amount: 40 });
  });

  it('is refunded by the merchant for the alert, once', async () => {
    const paid = await shop.pay('51.00');
    const alertId = await dispute(paid);
    const refunded = await shop.refund(paid.txid, '51.00', { alert_id: alertId });
    expect(refunded).toMatchObject({ status: 'OK', tx_action: 'REFUND', amount: 51 });
    expect((await shop.tryRefund(paid.txid, { amount: '51.00', alert_id: alertId })).status).toBe(409);
    await update(service, { alert_id: String(alertId), status: 'RESOLVED', reason_code: '100.001' });
    expect(await alertOf(service, alertId)).toMatchObject({ status: 'RESOLVED' });
    expect(await shop.postbacks(refunded.txid)).toMatchObject([{ tx_action: 'REFUND', status: 'OK' }]);
  });

  it('that was not made here holds nothing', async () => {
    const before = await reservedUsd();
    const alertId = await dispute({ amount: 999.99, currency: 'USD' } as Result);
    expect(await reservedUsd()).toBe(before);
    const nothing = { alert_transaction: null, transaction_action: null, transaction_potential_matches: null };
    expect(detailsIn(alertId)).toEqual([nothing]);
  });
});

describe('a rule that refunds', () => {
  const belowHundred = { fact: 'amount', operator: 'lessThan', value: 100, params: { currency: 'USD' } };
  let rule: number;
  beforeAll(async () => {
    const body = { name: 'Refund what is small', conditions: { all: [belowHundred] }, action: { type: 'refund' } };
    rule = await rules('create', { sid: service.credentials.site.sid, ...body });
  });
  afterAll(() => rules(`${rule}/disable`));

  it('finds the payment, refunds it exactly once, and shows both to the merchant', async () => {
    const paid = await shop.pay('60.00');
    const alertId = await dispute(paid);
    expect(await alertOf(service, alertId)).toMatchObject({
      ...{ status: 'RESOLVED', alert_action: 'RESOLVED', reason_code: '100.001' },
      automatic: { rule_id: rule, result: 'refunded' },
    });
    const [shown] = detailsIn(alertId);
    const refundTxid = Number(shown.transaction_action.payment_gateway_reference2);
    expect(shown).toMatchObject({
      alert_transaction: { payment_gateway_reference2: String(paid.txid), payment_gateway_tx_type: 'sale' },
      transaction_action: { payment_gateway_tx_type: 'refund' },
      transaction_potential_matches: null,
    });
    expect(await shop.status(refundTxid)).toMatchObject({ status: 'OK', tx_action: 'REFUND', amount: 60 });
    expect(await shop.postbacks(refundTxid)).toHaveLength(1);
    const again = await shop.tryRefund(paid.txid, { amount: '60.00', alert_id: alertId });
    expect([again.status, again.body['details']]).toEqual([409, expect.stringContaining(String(refundTxid))]);
  });

  it('leaves the alert to the merchant where the refund is refused, and the payment held', async () => {
    const paid = await shop.pay('61.65');
    const before = await reservedUsd();
    const alertId = await dispute(paid);
    expect(await alertOf(service, alertId)).toMatchObject({
      status: 'OPEN',
      automatic: { result: 'left_to_merchant', reason: 'refund_failed' },
    });
    expect(detailsIn(alertId)).toMatchObject([
      { alert_transaction: { payment_gateway_reference2: String(paid.txid) }, transaction_action: null },
    ]);
    expect(await reservedUsd()).toBeCloseTo(before + 61.65, 2);
  });

  it('refunds once though the answer is lost and the service restarted', async () => {
    const paid = await shop.pay('70.68');
    const alertId = await dispute(paid);
    await service.restart();
    await service.clock.advance('PT15M');
    expect(await alertOf(service, alertId)).toMatchObject({ status: 'RESOLVED', automatic: { result: 'refunded' } });
    expect((await shop.tryRefund(paid.txid, { amount: '0.01' })).status).toBe(409);
  });

  it('refunds nothing of two payments that the alert may be about, and names both', async () => {
    const both = [await shop.pay('80.00'), await shop.pay('80.00')];
    const alertId = await dispute(both[0] as Result);
    const [shown] = detailsIn(alertId);
    const named = shown.transaction_potential_matches.map(
      (one: Record<string, string>) => one['payment_gateway_reference2'],
    );
    expect(named.toSorted()).toEqual(both.map(({ txid }) => String(txid)).toSorted());
    expect(await alertOf(service, alertId)).toMatchObject({ status: 'OPEN' });
  });
});

it('goes by without a complaint of the stack or an error of a function, but of the answer that was lost', () =>
  expectNoErrors(service, /What became of refund \d+ is not known yet/));
