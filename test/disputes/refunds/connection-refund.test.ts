import { beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { milliseconds } from '#core/kernel/clock.ts';
import { refusals } from '#core/platform/operation/errors.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { handler } from '#disputes/refunds/jobs/settle-refunds/handler.ts';
import { fromRefundItem } from '#disputes/refunds/refund-row.ts';
import { decideAlert } from '#disputes/rules/decide/decide-store.ts';
import { paymentRefunds } from '#disputes/rules/decide/payment-refund-flow.ts';
import { dueMessage, messagesFor } from '#jobs/due-routing.ts';
import { chargeViews } from '#payments/orders/charges/order-charges.ts';
import { getOrder } from '#payments/orders/order-store.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { alertAt, disputeAt, fresh, outcomesAt, seedEnrolledSite } from '#test/disputes/alerts/seed.ts';
import { always } from '#test/disputes/rules/samples.ts';
import { fakeQueues, sqsEvent } from '#test/messaging/support.ts';
import { sentOrderOfCharge } from '#test/payments/orders/samples.ts';
import { newShop } from '#test/payments/transactions/shop.ts';
import { advance, useConnectionsInTheEvening, useSandbox } from '#test/payments/transactions/support.ts';
import { makeArn } from '#test/support/arns.ts';
import { startFakeCheckoutCom } from '#test/support/fake-checkout-com.ts';
import { startFakeStripe } from '#test/support/fake-stripe.ts';
import { ask, beforeTransactions, useOperations } from '#test/support/operations.ts';
import { replaceConnections } from '#test/support/replace-connections.ts';

useOperations();
useSandbox();
useConnectionsInTheEvening();

let shop: Tenant;
let site: Site;
let connection: string;
const connect = async (...connections: object[]): Promise<string> => {
  const { body } = await replaceConnections(shop, connections);
  return (body as { connections: [{ id: string }] }).connections[0].id;
};
beforeEach(async () => {
  shop = await newShop();
  site = await seedEnrolledSite(shop.mid, { max_daily_refunds: 1000 });
  connection = await connect({ kind: 'sandbox', label: 'Trial' });
});

const dispute = (amount: string, change?: Record<string, unknown>) => disputeAt(site, amount, change);
const refund = async (alertId: number, number: string, body: object = {}) => {
  const named = { connection, reference: `sbc_20260502_${number}`, ...body };
  const answer = await ask('refunds/refund-alert', { as: shop.as, params: { alert_id: alertId }, body: named });
  return {
    status: answer.status,
    body: answer.body as {
      alert_status: string;
      transaction: { status: string; refund_reference: string | null };
      msg: string;
      details: string;
    },
  };
};

describe("the refund of an alert's charge at a connection", () => {
  it('answers the alert and names both transactions', async () => {
    const alertId = await dispute('19.99');
    const made = await refund(alertId, '01', { comments: 'Sorry', merchant_notes: 'A regular' });
    expect(made).toMatchObject({
      status: 200,
      body: {
        alert_status: 'RESOLVED',
        transaction: {
          ...{ txid: null, reference: 'sbc_20260502_01', refund_reference: expect.stringContaining('sbc_') },
          ...{ tx_action: 'REFUND', status: 'OK', amount: '19.99', currency: 'USD', error_code: null },
        },
      },
    });
    expect(await alertAt(alertId)).toMatchObject({
      status: 'RESOLVED',
      update: { reason_code: '100.001', alert_outcome_amount: '19.99', comments: 'Sorry', merchant_notes: 'A regular' },
      automatic: { decision: null, transaction: { payment_gateway_reference2: 'order-20260502_01' } },
    });
    expect(await outcomesAt(alertId)).toMatchObject([{ isFinal: true }]);
    expect((await refund(alertId, '01')).body).toEqual(made.body);
    expect((await refund(alertId, '01', { amount: '19.99' })).body).toEqual(made.body);
    const others = [{ reference: 'sbc_20260502_02' }, { amount: '5.00' }, { amount: '19.99', currency: 'EUR' }];
    for (const change of [...others, { connection: 'cn_another' }]) {
      const other = await refund(alertId, '01', change);
      expect(other).toMatchObject({ status: 409, body: { msg: refusals.already_refunded_for_dispute.msg } });
    }
  });

  it('of a part, or of what is left, says so', async () => {
    const part = await dispute('45.20');
    expect((await refund(part, '02', { amount: '5.20' })).body).toMatchObject({ alert_status: 'RESOLVED' });
    expect((await alertAt(part)).update).toMatchObject({ reason_code: '101.001' });
    const rest = await dispute('80.00');
    expect((await refund(rest, '06')).body).toMatchObject({ transaction: { amount: '50.00' } });
    expect((await alertAt(rest)).update).toMatchObject({ reason_code: '101.001', alert_outcome_amount: '50.00' });
  });

  it('returns the disputed amount, and the whole charge if that is unknown or in another currency', async () => {
    const made = async (number: string, amount: string, currencyCode = 'USD') => {
      const alertId = await dispute(amount, { amount: { value: amount, currencyCode } });
      const { transaction } = (await refund(alertId, number)).body;
      return { ...transaction, code: (await alertAt(alertId)).update?.reason_code };
    };
    expect(await made('02', '20.00')).toMatchObject({ amount: '20.00', code: '100.001' });
    expect(await made('03', '20.00', 'EUR')).toMatchObject({ amount: '39.00', code: '100.001' });
    expect(await made('04', '0')).toMatchObject({ amount: '39.00', code: '100.001' });
    // A charge that has not settled can only be voided as a whole.
    expect(await made('08', '20.00')).toMatchObject({ amount: '25.00', tx_action: 'VOID' });
  });

  it('answers with the reason code of the call, which must state a refund', async () => {
    const alertId = await dispute('19.99');
    expect(await refund(alertId, '01', { reason_code: '902.001' })).toMatchObject({
      status: 400,
      body: { msg: refusals.reason_code_invalid.msg },
    });
    expect(await refund(alertId, '01', { reason_code: '103.001' })).toMatchObject({ status: 200 });
    expect((await alertAt(alertId)).update).toMatchObject({ reason_code: '103.001' });
  });

  it.each([
    ['01', 'done', 'refunded'],
    ['09', 'pending', undefined],
    ['11', 'failed', 'refund failed'],
  ])('of charge %s, which is %s, leaves the alert open if the call says so', async (number, _, event) => {
    const alertId = await dispute('19.99');
    expect(await refund(alertId, number, { answer: false })).toMatchObject({
      ...{ status: 200, body: { alert_status: 'OPEN' } },
    });
    expect(await alertAt(alertId)).toMatchObject({ status: 'OPEN', update: null });
    const details = await ask('alerts/alert-details', { as: shop.as, params: { alert_id: alertId } });
    const { history } = details.body as { history: { change: { event: string } }[] };
    expect(history.map(({ change }) => change.event).filter((one) => one.includes('refund'))).toEqual(
      event === undefined ? [] : [event],
    );
  });

  it.each([
    ['pending for a minute', '12.61', '09'],
    ['done although its answer is lost', '12.62', '10'],
  ])('that is %s leaves the alert in progress, and answers it later', async (_, amount, number) => {
    const alertId = await dispute(amount);
    expect((await refund(alertId, number)).body).toMatchObject({
      alert_status: 'WIP',
      transaction: { status: 'PEND' },
    });
    expect(await outcomesAt(alertId)).toMatchObject([{ isFinal: false }]);
    const row = (await getItem(keys.refund(alertId))) ?? {};
    const now = '2026-05-02T22:30:00.000Z';
    expect(messagesFor({ before: undefined, after: row }, now)).toMatchObject([
      { queue: 'refunds', body: { alertId } },
    ]);
    expect(dueMessage(row, now)).toEqual({ queue: 'refunds', body: { alertId } });
    advance(2 * milliseconds.minute);
    expect(await handler(sqsEvent([{ alertId }]))).toEqual({ batchItemFailures: [] });
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED', update: { reason_code: '100.001' } });
    expect((await refund(alertId, number)).body).toMatchObject({ transaction: { status: 'OK' } });
  });

  it('is checked again when it is due: an early message is sent on, unless the check was moved', async () => {
    const { sent } = fakeQueues({ refunds: 'https://sqs.example/refunds' });
    const alertId = await dispute('12.61');
    await refund(alertId, '09');
    const { nextCheckAt: slot } = fromRefundItem(await getItem(keys.refund(alertId)))?.refund ?? expect.fail('No row');
    sent.length = 0;
    await handler(sqsEvent([{ alertId, slot }]));
    expect(sent).toMatchObject([{ queue: 'refunds', body: { alertId, slot } }]);
    sent.length = 0;
    const messages = sqsEvent([{ alertId, slot: '2026-05-02T21:00:00.000Z' }, { alertId: 1 }]);
    expect(await handler(messages)).toEqual({ batchItemFailures: [] });
    expect(sent).toEqual([]);
    expect(await alertAt(alertId)).toMatchObject({ status: 'WIP' });
  });

  it.each([
    ['pending', '12.61', '09', 60],
    ['done', '19.99', '01', undefined],
  ])('of a rule that is still deciding is left to the rule: %s', async (_, amount, number, delay) => {
    const { sent } = fakeQueues({ refunds: 'https://sqs.example/refunds' });
    const body = { sid: site.sid, name: 'Refund', conditions: always, action: { type: 'refund' } };
    expect(await ask('rules/create-rule', { body })).toMatchObject({ status: 200 });
    const alertId = await dispute(amount, { authCode: `1002${number}` });
    const messages: unknown[] = [];
    beforeTransactions(async ({ TransactItems: parts = [] }) => {
      if (!parts.some(({ Delete }) => Delete?.Key?.['pk'] === keys.decision(alertId).pk)) return;
      beforeTransactions();
      advance(2 * milliseconds.minute);
      sent.length = 0;
      await handler(sqsEvent([{ alertId }]));
      messages.push(...sent);
    });
    await decideAlert(alertId, paymentRefunds, false);
    expect(messages).toMatchObject(delay === undefined ? [] : [{ queue: 'refunds', body: { alertId }, delay }]);
    expect(await alertAt(alertId)).toMatchObject({ automatic: { decision: { action: { type: 'refund' } } } });
  });

  it('that the processor refuses leaves it open, and another may be made', async () => {
    const alertId = await dispute('12.65');
    expect(await refund(alertId, '11')).toMatchObject({
      status: 200,
      body: { alert_status: 'OPEN', transaction: { status: 'EXC', error_code: 'refund_failed' } },
    });
    expect((await refund(alertId, '01')).body).toMatchObject({ alert_status: 'RESOLVED' });
  });

  it.each([
    ['amount_not_available', '05', {}],
    ['amount_not_available', '01', { amount: '20.00' }],
    ['amount_not_available', '08', { amount: '5.00' }],
    ['request_invalid', '01', { amount: '5.001' }],
    ['request_invalid', '01', { amount: '0.00' }],
    ['request_invalid', '01', { amount: '5.00', currency: 'EUR' }],
    ['transaction_state_wrong', '07', {}],
    ['payment_not_linked', '13', {}],
    ['payment_not_linked', '99', {}],
    ['connection_not_found', '01', { connection: 'cn_nobodys' }],
  ] as const)('is refused with %s for charge %s', async (code, number, body) => {
    const alertId = await dispute('19.99');
    expect(await refund(alertId, number, body)).toMatchObject({ body: { msg: refusals[code].msg } });
    expect(await alertAt(alertId)).toMatchObject({ status: 'OPEN' });
  });

  it('is refused for more than is left, with the amount that is left', async () => {
    const { body } = await refund(await dispute('80.00'), '06', { amount: '50.01' });
    expect(body.details).toBe('amount: 50.00 USD of 80.00 USD can be refunded.');
    const { body: unreadable } = await refund(await dispute('80.00'), '06', { amount: '5.001' });
    expect(unreadable.details).toMatch(/^amount: .*decimals/);
  });

  it('is refused while another refund of the charge is undecided at the processor', async () => {
    await using checkout = await startFakeCheckoutCom();
    const credentials = {
      ...{ secret_key: checkout.secretKey, prefix: '12345678', webhook_key: checkout.webhookKey },
      ...{ base_url: checkout.url },
    };
    connection = await connect({ kind: 'checkout_com', label: 'The shop', credentials });
    const { id: reference } = checkout.payment({ minor: 3000, number: '4111111111111111' });
    const [one, other] = [await dispute('10.00'), await dispute('10.00')];
    checkout.setSlow(true);
    expect((await refund(one, '', { reference })).body).toMatchObject({ transaction: { status: 'PEND' } });
    expect(await refund(other, '', { reference })).toMatchObject({
      ...{ status: 409, body: { msg: refusals.transaction_state_wrong.msg } },
    });
  });

  it('is refused once the alert is answered', async () => {
    const alertId = await dispute('19.99');
    const body = { status: 'DECLINED', reason_code: '902.002' };
    expect(await ask('alerts/answer-alert', { as: shop.as, params: { alert_id: alertId }, body })).toMatchObject({
      status: 200,
    });
    expect(await refund(alertId, '01')).toMatchObject({ status: 409, body: { msg: refusals.alert_closed.msg } });
    expect(await getItem(keys.refund(alertId))).toBeUndefined();
  });

  it.each([
    ['whose charges are not named', {}],
    ['whose only charge has no reference', { charges: [{ amount: '12.61' }] }],
  ])('is shown in the order of its charge, but only once it is done: one %s', async (_, charged) => {
    shop = await newShop({}, { order_insights: true, oi_merchant_id: `oi-refund-${fresh()}` });
    site = await seedEnrolledSite(shop.mid);
    connection = await connect({ kind: 'sandbox', label: 'Trial' });
    const arn = makeArn(fresh());
    const sent = sentOrderOfCharge({ reference: `O-${fresh()}`, arn, ...charged });
    const created = await ask('orders/create-order', { as: shop.as, body: { sid: shop.sid, ...sent } });
    const { order_id: orderId } = created.body as { order_id: number };
    const refundsShown = async () => {
      const [view] = chargeViews((await getOrder(orderId)) ?? expect.fail('no order'));
      return Object.values(view?.ownRefunds ?? {});
    };
    const alertId = await dispute('12.61', { arn });
    const { transaction } = (await refund(alertId, '09')).body;
    expect([transaction.status, await refundsShown()]).toEqual(['PEND', []]);
    advance(2 * milliseconds.minute);
    await handler(sqsEvent([{ alertId }]));
    expect(await refundsShown()).toMatchObject([{ amount: '12.61', reference: transaction.refund_reference }]);
  });

  it('voids what has not settled', async () => {
    const alertId = await dispute('25.00');
    expect((await refund(alertId, '08')).body).toMatchObject({ transaction: { tx_action: 'VOID', amount: '25.00' } });
  });

  it('of a test alert moves no real money', async () => {
    await using stripe = await startFakeStripe();
    const credentials = { secret_key: stripe.secretKey, base_url: stripe.url };
    const shopAtStripe = await connect({ kind: 'stripe', label: 'The shop', credentials });
    const charge = stripe.elsewhere.add({ minor: 1999, number: '4111111111111111' });
    const body = { alert_type: 'DISPUTE', descriptor: `SHOP ${site.sid}`, amount: '19.99', currency: 'USD' };
    const test = await ask('alerts/create-test-alert', { as: shop.as, body });
    const { alert_id: alertId } = test.body as { alert_id: number };
    const { status, body: refused } = await refund(alertId, '', { connection: shopAtStripe, reference: charge.id });
    expect([status, refused.msg]).toEqual([404, refusals.connection_not_found.msg]);
    expect(stripe.elsewhere.done).toBe(0);
  });

  it('is refused while the connection cannot be asked', async () => {
    await using stripe = await startFakeStripe();
    const credentials = { secret_key: 'rk_test_ofSomebodyElse', base_url: stripe.url };
    connection = await connect({ kind: 'stripe', label: 'The shop', credentials });
    const alertId = await dispute('19.99');
    const { status, body } = await refund(alertId, '01', { reference: 'ch_1' });
    expect([status, body.msg]).toEqual([409, refusals.connection_unavailable.msg]);
    expect(body.details).not.toContain('ofSomebodyElse');
  });
});
