import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { setClock } from '#core/kernel/clock.ts';
import { refusals } from '#core/platform/operation/errors.ts';
import { settleDueRefund } from '#disputes/refunds/connection-refund-flow.ts';
import { readAlertRefund } from '#disputes/refunds/refund-store.ts';
import { decideAlert } from '#disputes/rules/decide/decide-store.ts';
import { paymentRefunds } from '#disputes/rules/decide/payment-refund-flow.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { alertAt, disputeAt, fresh, outcomesAt, seedEnrolledSite } from '#test/disputes/alerts/seed.ts';
import { lookAt } from '#test/disputes/chargebacks/merchant.ts';
import { sentOrder } from '#test/payments/orders/samples.ts';
import { newShop } from '#test/payments/transactions/shop.ts';
import { useSandbox } from '#test/payments/transactions/support.ts';
import { makeArn } from '#test/support/arns.ts';
import { type FakeAdyen, startFakeAdyen } from '#test/support/fake-adyen.ts';
import { ask, useOperations } from '#test/support/operations.ts';
import { always } from './samples.ts';

useOperations();
useSandbox();

const psp = 'PSP0000000000042';
let adyen: FakeAdyen;
beforeAll(async () => {
  Object.assign(process.env, {
    ALLOW_LOOPBACK_HTTP: 'true',
    CHARGEBACKS_QUEUE_URL: 'https://sqs.example.com/chargebacks',
  });
  adyen = await startFakeAdyen();
});
afterAll(async () => {
  delete process.env['ALLOW_LOOPBACK_HTTP'];
  await adyen[Symbol.asyncDispose]();
});

let shop: Tenant;
let site: Site;
let sandbox: string;
let atAdyen: string;
beforeEach(async () => {
  setClock(() => Date.parse('2026-05-02T22:30:00Z'));
  adyen.payments.splice(0, adyen.payments.length, {
    ...{ psp, reference: 'order-42', amount: 3900, currency: 'USD', captured: 3900, refunded: 0 },
    ...{ state: 'authorised', isManual: false, refundsFail: false },
  });
  shop = await newShop({}, { order_insights: true, oi_merchant_id: `oi-index-${fresh()}` });
  site = await seedEnrolledSite(shop.mid, { max_daily_refunds: 1000 });
  const { apiKey: api_key, merchantAccount: merchant_account, hmacKey: hmac_key, url: base_url } = adyen;
  const credentials = { api_key, merchant_account, hmac_key, environment: 'test', base_url };
  const connections = [
    { kind: 'sandbox', label: 'Trial' },
    { kind: 'adyen', label: 'The shop', credentials },
  ];
  const { body } = await ask('connections/set-connections', {
    as: shop.as,
    params: { mid: shop.mid },
    body: { connections },
  });
  [sandbox = '', atAdyen = ''] = (body as { connections: { id: string }[] }).connections.map(({ id }) => id);
  const rule = { sid: site.sid, name: 'Refund', conditions: always, action: { type: 'refund' } };
  expect(await ask('rules/create-rule', { body: rule })).toMatchObject({ status: 200 });
});
afterEach(() => setClock());

/** The merchant's order of 39.00, whose money is where it says. */
const order = async (processor: object, change: Record<string, unknown> = {}): Promise<string> => {
  const arn = makeArn(fresh());
  const sent = sentOrder({
    ...{ reference: `O-${fresh()}`, amount: '39.00', amount_subtotal: undefined, amount_shipping: undefined },
    ...{ amount_tax: undefined, amount_coupon: undefined, card_firstsix: '411111', card_lastfour: '1111' },
    ...{
      order_date: '2026-05-02T02:00:00Z',
      transaction_date: null,
      arn,
      ...{ auth_code: '', descriptor: 'SHOP' },
      refunds: null,
      processor,
      ...change,
    },
  });
  const made = await ask('orders/create-order', { as: shop.as, body: { sid: shop.sid, ...sent } });
  expect(made).toMatchObject({ status: 200 });
  return arn;
};
const search = async (alertId: number) => {
  const { body } = await ask('connections/alert-transactions', { as: shop.as, params: { alert_id: alertId } });
  return body as { match: string; transactions: { reference: string; connection: string }[] };
};
const decide = (alertId: number) => decideAlert(alertId, paymentRefunds, false);

describe('an order that says where its money is', () => {
  it('names one of two charges that nothing else tells apart', async () => {
    const transactionId = `MDS00000${fresh()}`;
    const known = { arn: null, network_transaction_id: transactionId };
    await order({ connection: sandbox, reference: 'sbc_20260502_04' }, known);
    expect(await search(await disputeAt(site, '39.00'))).toMatchObject({ match: 'many' });
    const alertId = await disputeAt(site, '39.00', { transactionId });
    expect(await search(alertId)).toMatchObject({
      match: 'one',
      transactions: [{ connection: sandbox, reference: 'sbc_20260502_04', matches: true, refundable: '39.00' }],
    });
    await decide(alertId);
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED', update: { reason_code: '100.001' } });
    expect(await readAlertRefund(alertId)).toMatchObject({ refund: { reference: 'sbc_20260502_04', state: 'done' } });
  });

  it('is not believed about a charge that its processor knows by another ARN', async () => {
    const arn = await order({ connection: sandbox, reference: 'sbc_20260502_04' });
    const alertId = await disputeAt(site, '39.00', { arn });
    await decide(alertId);
    expect(await alertAt(alertId)).toMatchObject({ status: 'OPEN', update: null });
    expect(await readAlertRefund(alertId)).toBeUndefined();
  });

  it('is not believed about a charge of another card, nor about one that is not there', async () => {
    // 17 is of another card, 30 is no charge at all.
    for (const reference of ['sbc_20260502_17', 'sbc_20260502_30']) {
      const arn = await order({ connection: sandbox, reference });
      expect((await search(await disputeAt(site, '39.00', { arn }))).match).toBe('none');
    }
  });

  it('has a rule refund at a processor that cannot be searched', async () => {
    const arn = await order({ connection: atAdyen, reference: psp });
    const alertId = await disputeAt(site, '39.00', { arn });
    expect(await search(alertId)).toMatchObject({ match: 'one', transactions: [{ kind: 'adyen', reference: psp }] });
    await decide(alertId);
    expect(await alertAt(alertId)).toMatchObject({
      status: 'RESOLVED',
      update: { reason_code: '100.001', alert_outcome_amount: '39.00' },
      automatic: { transaction: { payment_gateway_reference: psp, payment_gateway_tx_type: 'order' } },
    });
    expect(await outcomesAt(alertId)).toMatchObject([{ isFinal: true }]);
    expect(adyen.payments[0]?.refunded).toBe(3900);
  });

  it('shows the refund, which the next alert is answered with', async () => {
    const arn = await order({ connection: atAdyen, reference: psp });
    const [first, second] = [await disputeAt(site, '39.00', { arn }), await disputeAt(site, '39.00', { arn })];
    const inFull = { connection: atAdyen, reference: psp };
    const made = await ask('refunds/refund-alert', { as: shop.as, params: { alert_id: first }, body: inFull });
    expect(made).toMatchObject({ status: 200, body: { transaction: { status: 'OK' } } });
    const { body } = await ask('lookups/list-orders', { as: shop.as, body: { mid: shop.mid } });
    const [{ order_id: id }] = (body as { list: [{ order_id: number }] }).list;
    const { body: details } = await ask('lookups/order-details', { as: shop.as, params: { id } });
    const { refund_reference: reference } = (made.body as { transaction: { refund_reference: string } }).transaction;
    expect(details).toMatchObject({ order: { refunds_made: [{ amount: '39.00', currency: 'USD', reference }] } });
    expect(await search(second)).toMatchObject({
      match: 'one',
      transactions: [{ refunded: '39.00', refundable: '0.00' }],
    });
    const again = await ask('refunds/refund-alert', { as: shop.as, params: { alert_id: second }, body: inFull });
    expect(again).toMatchObject({ status: 409, body: { msg: refusals.amount_not_available.msg } });
    expect(adyen.payments[0]?.refunded).toBe(3900);
  });

  it('has a rule answer that it was given back before, as the merchant has told', async () => {
    const refunds = [{ amount: '39.00', currency: 'USD', at: '2026-05-02T20:00:00Z' }];
    const arn = await order({ connection: atAdyen, reference: psp }, { refunds });
    const alertId = await disputeAt(site, '39.00', { arn });
    await decide(alertId);
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED', update: { reason_code: '951.001' } });
    expect(adyen.payments[0]?.refunded).toBe(0);
  });

  it('lets a person refund there, once, though the answer is lost', async () => {
    const arn = await order({ connection: atAdyen, reference: psp });
    const alertId = await disputeAt(site, '39.00', { arn });
    adyen.fail('lost', /refunds/, 2);
    const refund = (reference: string) =>
      ask('refunds/refund-alert', {
        as: shop.as,
        params: { alert_id: alertId },
        body: { connection: atAdyen, reference, amount: '10.00' },
      });
    expect(await refund('PSP0000000000043')).toMatchObject({ status: 409 });
    expect(await refund(psp)).toMatchObject({ status: 200, body: { transaction: { status: 'PEND' } } });
    const { refund: pending } = (await readAlertRefund(alertId)) ?? {};
    setClock(() => Date.parse(pending?.nextCheckAt ?? ''));
    await settleDueRefund({ alertId, slot: pending?.nextCheckAt ?? '' });
    expect((await readAlertRefund(alertId))?.refund).toMatchObject({ state: 'done', amount: '10.00' });
    expect(adyen.payments[0]?.refunded).toBe(1000);
  });

  it('is refunded again if the bank refused the refund that Adyen had accepted', async () => {
    const arn = await order({ connection: atAdyen, reference: psp });
    const alertId = await disputeAt(site, '39.00', { arn });
    await decide(alertId);
    const { refund: taken } = (await readAlertRefund(alertId)) ?? {};
    const pspReference = taken?.refund?.payment_gateway_reference ?? '';
    const notice = {
      eventCode: 'REFUND_FAILED',
      success: true,
      pspReference,
      originalReference: psp,
      merchantReference: 'x',
    };
    const { headers, rawBody } = adyen.sign([notice]);
    const webhook = { as: 'nobody' as const, params: { mid: shop.mid, id: atAdyen }, headers, rawBody };
    const noted: object[] = [];
    mockClient(SQSClient)
      .on(SendMessageBatchCommand)
      .callsFake(({ Entries = [] }) => {
        noted.push(...Entries.map(({ MessageBody }: { MessageBody: string }) => JSON.parse(MessageBody)));
        return {};
      });
    expect(await ask('connections/receive-connection-webhook', webhook)).toMatchObject({ status: 200 });
    expect(await lookAt(...noted, ...noted)).toEqual([]);
    expect(await readAlertRefund(alertId)).toMatchObject({
      refund: { state: 'failed', error: 'adyen REFUND_FAILED' },
      begun: null,
    });
    expect(await alertAt(alertId)).toMatchObject({ status: 'WIP', action: 'MATCHED' });
    expect((await outcomesAt(alertId)).map(({ isFinal }) => isFinal)).toEqual([true, false]);
    expect(await search(alertId)).toMatchObject({ transactions: [{ refunded: '0.00', refundable: '39.00' }] });
    Object.assign(adyen.payments[0] ?? {}, { refunded: 0 });
    const body = { connection: atAdyen, reference: psp };
    const again = await ask('refunds/refund-alert', { as: shop.as, params: { alert_id: alertId }, body });
    expect(again).toMatchObject({ status: 200, body: { alert_status: 'RESOLVED', transaction: { status: 'OK' } } });
    expect((await readAlertRefund(alertId))?.refund).toMatchObject({ state: 'done', number: 2 });
  });

  it('is not refunded again once Adyen has sent the failed refund again', async () => {
    const arn = await order({ connection: atAdyen, reference: psp });
    const alertId = await disputeAt(site, '39.00', { arn });
    await decide(alertId);
    const { refund: taken } = (await readAlertRefund(alertId)) ?? {};
    const notice = {
      ...{ success: true, pspReference: taken?.refund?.payment_gateway_reference ?? '', originalReference: psp },
      ...{ merchantReference: 'x', amount: { value: 3900, currency: 'USD' } },
    };
    const noted: object[] = [];
    mockClient(SQSClient)
      .on(SendMessageBatchCommand)
      .callsFake(({ Entries = [] }) => {
        noted.push(...Entries.map(({ MessageBody }: { MessageBody: string }) => JSON.parse(MessageBody)));
        return {};
      });
    const tell = async (eventCode: string, day: number) => {
      const { headers, rawBody } = adyen.sign([{ ...notice, eventCode, eventDate: `2026-05-0${day}T10:00:00Z` }]);
      const webhook = { as: 'nobody' as const, params: { mid: shop.mid, id: atAdyen }, headers, rawBody };
      expect(await ask('connections/receive-connection-webhook', webhook)).toMatchObject({ status: 200 });
      await lookAt(...noted.splice(0));
    };
    await tell('REFUND_FAILED', 3);
    expect(await readAlertRefund(alertId)).toMatchObject({ refund: { state: 'failed' } });
    await tell('REFUND', 4);
    const sent = adyen.performed.refund;
    const body = { connection: atAdyen, reference: psp };
    const again = await ask('refunds/refund-alert', { as: shop.as, params: { alert_id: alertId }, body });
    expect(again).toMatchObject({ status: 200, body: { alert_status: 'RESOLVED', transaction: { status: 'OK' } } });
    expect(adyen.performed.refund).toBe(sent);
  });

  it('is needed only for charges at a processor that cannot be searched, which does not block the others', async () => {
    const alertId = await disputeAt(site, '19.99', { authCode: '100201' });
    const { match, transactions } = await search(alertId);
    expect([match, transactions[0]?.reference]).toEqual(['one', 'sbc_20260502_01']);
    await decide(alertId);
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED' });
    expect(adyen.payments[0]?.refunded).toBe(0);
  });
});

it('a connection to Adyen is tried', async () => {
  const tried = () => ask('connections/test-connection', { as: shop.as, params: { mid: shop.mid, id: atAdyen } });
  expect(await tried()).toMatchObject({ body: { works: true } });
  adyen.fail(401, /paymentMethods/);
  expect(await tried()).toMatchObject({ body: { works: false, problem: 'credentials' } });
  adyen.fail(403, /paymentMethods/);
  expect(await tried()).toMatchObject({
    body: { works: false, missing: [expect.stringContaining('Checkout'), expect.any(String)] },
  });
  adyen.fail(500, /paymentMethods/);
  expect(await tried()).toMatchObject({ body: { works: false, problem: 'unavailable' } });
});
