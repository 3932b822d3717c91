import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { nowIso, setClock } from '#core/kernel/clock.ts';
import { refusals } from '#core/platform/operation/errors.ts';
import { settleDispute } from '#disputes/holds/dispute-hold-store.ts';
import { readAlertRefund } from '#disputes/refunds/refund-store.ts';
import { decideAlert } from '#disputes/rules/decide/decide-store.ts';
import { paymentRefunds } from '#disputes/rules/decide/payment-refund-flow.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { alertAt, disputeAt, makeRcode, seedEnrolledSite } from '#test/disputes/alerts/seed.ts';
import { always } from '#test/disputes/rules/samples.ts';
import { newShop, pay } from '#test/payments/transactions/shop.ts';
import { ledgerAt, useSandbox } from '#test/payments/transactions/support.ts';
import { ask, beforeTransactions, useOperations } from '#test/support/operations.ts';
import { replaceConnections } from '#test/support/replace-connections.ts';

/** An alert's payment was taken here, and what may be its charge stands at the merchant's own processor as well. */
useOperations();
useSandbox();
beforeEach(() => setClock(() => Date.parse('2026-05-02T22:30:00Z')));
afterEach(() => setClock());

let shop: Tenant;
let site: Site;
let connection: string;
let txid: number;
beforeEach(async () => {
  shop = await newShop();
  site = await seedEnrolledSite(shop.mid, { max_daily_refunds: 1000 });
  const { body } = await ask('connections/set-connections', {
    as: shop.as,
    params: { mid: shop.mid },
    body: { connections: [{ kind: 'sandbox', label: 'Trial' }] },
  });
  connection = (body as { connections: [{ id: string }] }).connections[0].id;
  ({ txid } = await pay(shop, '49.99'));
});

const dispute = () => disputeAt(site, '49.99', { cardBin: '424242', cardLast4: '4242' });
const refund = (alertId: number, body: object) =>
  ask('refunds/refund-alert', { as: shop.as, params: { alert_id: alertId }, body });
const here = (alertId: number, body: object = {}) => refund(alertId, { txid, ...body });
const there = (alertId: number, body: object = {}) =>
  refund(alertId, { connection, reference: 'sbc_20260502_18', ...body });
const twice = { status: 409, body: { msg: refusals.already_refunded_for_dispute.msg } };

/** Lets another process act just before the first transaction of a call. */
const before = (work: () => Promise<unknown>) =>
  beforeTransactions(async () => {
    beforeTransactions();
    await work();
  });

describe('an alert that could be refunded here and at a connection', () => {
  it('is refunded at the connection alone, whatever asks for it here', async () => {
    const alertId = await dispute();
    await settleDispute(alertId);
    expect(await there(alertId, { answer: false })).toMatchObject({ body: { transaction: { status: 'OK' } } });
    expect(await here(alertId)).toMatchObject({ ...twice, body: { details: expect.stringContaining(connection) } });
    const body = { amount: '49.99', currency: 'USD', alert_id: alertId };
    expect(await ask('refunds/processrefund', { as: shop.as, params: { parentxid: txid }, body })).toMatchObject(twice);
    expect((await ledgerAt(txid)).refunded).toBe(0n);
  });

  it.each(['answered', 'open'] as const)('is refunded here alone, and the alert is %s', async (then) => {
    const alertId = await dispute();
    const made = await here(alertId, { answer: then === 'answered' });
    expect(made).toMatchObject({ body: { transaction: { status: 'OK' } } });
    expect(await there(alertId)).toMatchObject(twice);
    expect(await readAlertRefund(alertId)).toBeUndefined();
    expect((await ledgerAt(txid)).refunded).toBe(4999n);
  });

  it('is refunded at either place after a refund at the other one has failed', async () => {
    // Amounts that end in .65 are refused by the sandbox.
    const failsHere = await dispute();
    expect(await here(failsHere, { amount: '10.65' })).toMatchObject({ body: { transaction: { status: 'EXC' } } });
    expect(await there(failsHere)).toMatchObject({ body: { transaction: { status: 'OK' } } });
    const payment = await pay(shop, '45.20', { card_no: '4111111111111111' });
    const failsThere = await disputeAt(site, '45.20', { transactionTimestamp: nowIso() });
    const failed = await there(failsThere, { reference: 'sbc_20260502_11' });
    expect(failed).toMatchObject({ body: { transaction: { status: 'EXC' } } });
    expect(await refund(failsThere, { txid: payment.txid })).toMatchObject({ body: { transaction: { status: 'OK' } } });
    expect((await ledgerAt(payment.txid)).refunded).toBe(4520n);
  });

  it('is refused as closed if it is answered during a refund there that follows a failed one here', async () => {
    const alertId = await dispute();
    expect(await here(alertId, { amount: '10.65' })).toMatchObject({ body: { transaction: { status: 'EXC' } } });
    const answer = { alert_id: String(alertId), status: 'DECLINED', reason_code: '900.002', comments: 'It was sent' };
    before(() => ask('alerts/update-alert', { as: 'nobody', headers: { rcode: makeRcode(site.sid) }, body: answer }));
    expect(await there(alertId)).toMatchObject({ status: 409, body: { msg: refusals.alert_closed.msg } });
  });

  it('is refunded there after a failed refund here, although another alert refunds the charge at the same moment', async () => {
    const alertId = await dispute();
    expect(await here(alertId, { amount: '10.65' })).toMatchObject({ body: { transaction: { status: 'EXC' } } });
    const other = await disputeAt(site, '5.00', { cardBin: '424242', cardLast4: '4242' });
    before(() => there(other, { amount: '5.00', answer: false }));
    expect(await there(alertId, { amount: '10.00' })).toMatchObject({ body: { transaction: { status: 'OK' } } });
  });

  it('is refunded once if both places are tried at the same moment, after a refund at a connection has failed', async () => {
    const payment = await pay(shop, '45.20', { card_no: '4111111111111111' });
    const alertId = await disputeAt(site, '45.20', { transactionTimestamp: nowIso() });
    const failing = { reference: 'sbc_20260502_11' };
    expect(await there(alertId, failing)).toMatchObject({ body: { transaction: { status: 'EXC' } } });
    const first: unknown[] = [];
    before(async () => first.push(await refund(alertId, { txid: payment.txid, answer: false })));
    expect(await there(alertId, failing)).toMatchObject(twice);
    expect(first).toMatchObject([{ body: { transaction: { status: 'OK' } } }]);
  });

  it('is not refunded once it is answered, however long its charge was looked at', async () => {
    const alertId = await dispute();
    const answer = { alert_id: String(alertId), status: 'DECLINED', reason_code: '900.002', comments: 'It was sent' };
    before(() => ask('alerts/update-alert', { as: 'nobody', headers: { rcode: makeRcode(site.sid) }, body: answer }));
    expect(await there(alertId)).toMatchObject({ status: 409, body: { msg: refusals.alert_closed.msg } });
    expect(await readAlertRefund(alertId)).toBeUndefined();
  });
});

describe('a rule that refunds', () => {
  beforeEach(async () => {
    const body = { sid: site.sid, name: 'Refund', conditions: always, action: { type: 'refund' } };
    expect(await ask('rules/create-rule', { body })).toMatchObject({ status: 200 });
  });

  it('refunds here what a person could not refund at a connection', async () => {
    const alertId = await disputeAt(site, '12.65');
    const failed = await there(alertId, { reference: 'sbc_20260502_11' });
    expect(failed).toMatchObject({ body: { transaction: { status: 'EXC' } } });
    await replaceConnections(shop, []);
    ({ txid } = await pay(shop, '12.65', { card_no: '4111111111111111' }));
    await decideAlert(alertId, paymentRefunds, false);
    expect((await ledgerAt(txid)).disputes[alertId]?.refundTxid).toBeNull();
    expect(await readAlertRefund(alertId)).toMatchObject({ refund: { number: 1, state: 'failed' } });
    expect(await alertAt(alertId)).toMatchObject({ automatic: { decision: { reason: 'refund_failed' } } });
  });

  it('refunds nothing of an alert that its merchant answers meanwhile', async () => {
    const alertId = await dispute();
    const answer = { alert_id: String(alertId), status: 'DECLINED', reason_code: '900.002', comments: 'It was sent' };
    before(() => ask('alerts/update-alert', { as: 'nobody', headers: { rcode: makeRcode(site.sid) }, body: answer }));
    await decideAlert(alertId, paymentRefunds, false);
    expect(await alertAt(alertId)).toMatchObject({ status: 'DECLINED' });
    expect((await ledgerAt(txid)).refunded).toBe(0n);
  });
});
