import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { nowIso, setClock } from '#core/kernel/clock.ts';
import { refusals } from '#core/platform/operation/errors.ts';
import { settleDispute } from '#disputes/holds/dispute-hold-store.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { alertAt, disputeAt, makeRcode, outcomesAt, seedEnrolledSite } from '#test/disputes/alerts/seed.ts';
import { newShop, pay } from '#test/payments/transactions/shop.ts';
import { ledgerAt, useConnectionsInTheEvening, useSandbox } from '#test/payments/transactions/support.ts';
import { ask, useOperations } from '#test/support/operations.ts';

useOperations();
useSandbox();
useConnectionsInTheEvening();
afterEach(() => setClock());

let shop: Tenant;
let site: Site;
beforeEach(async () => {
  shop = await newShop();
  site = await seedEnrolledSite(shop.mid);
});

const refundedCode = { status: 'RESOLVED', reason_code: '100.001' } as const;
const answer = async (alertId: number, body: object = refundedCode) => {
  const reply = await ask('alerts/answer-alert', { as: shop.as, params: { alert_id: alertId }, body });
  return { status: reply.status, body: reply.body as { code?: string; details?: string } };
};
const answerBySite = (alertId: number, body: object = refundedCode) =>
  ask('alerts/update-alert', {
    as: 'nobody',
    headers: { rcode: makeRcode(site.sid) },
    body: { alert_id: String(alertId), ...body },
  });
const paidDispute = async () => {
  const { txid } = await pay(shop, '10.00');
  const alertId = await disputeAt(site, '10.00', {
    ...{ cardBin: '424242', cardLast4: '4242', transactionTimestamp: nowIso() },
  });
  await settleDispute(alertId);
  return { txid, alertId };
};
const refundAlert = (alertId: number, body: object) =>
  ask('refunds/refund-alert', { as: shop.as, params: { alert_id: alertId }, body });
const details = async (alertId: number) =>
  (await ask('alerts/alert-details', { as: shop.as, params: { alert_id: alertId } })).body as Record<string, unknown>;
const listed = async (alertId: number) => {
  const { list } = (await ask('alerts/list-alerts', { as: shop.as, body: {} })).body as {
    list: { alert_id: number; refunded_by: string | null }[];
  };
  return list.find(({ alert_id }) => alert_id === alertId);
};
const refundFirst = { status: 409, body: { msg: refusals.refund_first.msg, code: 'refund_first' } };

describe('a person who answers that an alert is refunded', () => {
  it.each(['100.001', '103.001', '951.001'])('is refused %s where no refund is recorded', async (reason_code) => {
    const { alertId } = await paidDispute();
    const refused = await answer(alertId, { status: 'RESOLVED', reason_code });
    expect(refused).toMatchObject(refundFirst);
    expect(refused.body.details).toMatch(/\/alert\/\{alert_id\}\/refund.*refunded_elsewhere/);
    expect(await alertAt(alertId)).toMatchObject({ status: 'OPEN', update: null });
    expect(await outcomesAt(alertId)).toEqual([]);
  });

  it('is refused a refund that is only in progress, too', async () => {
    const { alertId } = await paidDispute();
    expect(await answer(alertId, { status: 'WIP', reason_code: '100.001' })).toMatchObject(refundFirst);
  });

  it.each(['100.003', '103.002'])('may answer %s, which states no refund', async (reason_code) => {
    const { alertId } = await paidDispute();
    expect(await answer(alertId, { status: 'RESOLVED', reason_code })).toMatchObject({ status: 200 });
    expect(await details(alertId)).toMatchObject({ refunded_by: null, refunded_elsewhere: null });
  });

  it('may do so once the payment is refunded through Forewarn without an answer', async () => {
    const { alertId } = await paidDispute();
    await refundAlert(alertId, { answer: false });
    expect(await answer(alertId)).toMatchObject({ status: 200 });
    expect(await details(alertId)).toMatchObject({ status: 'RESOLVED', refunded_by: 'forewarn' });
    expect(await answer(alertId)).toMatchObject({ status: 200 });
  });

  it('may state what was refunded of the payment before, and not more', async () => {
    const { txid } = await pay(shop, '10.00');
    const body = { amount: '4.00', currency: 'USD' };
    expect(await ask('refunds/processrefund', { as: shop.as, params: { parentxid: txid }, body })).toMatchObject({
      status: 200,
    });
    const alertId = await disputeAt(site, '10.00', {
      ...{ cardBin: '424242', cardLast4: '4242', transactionTimestamp: nowIso() },
    });
    await settleDispute(alertId);
    expect(await answer(alertId)).toMatchObject(refundFirst);
    const part = (alert_outcome_amount: string) => ({
      ...{ status: 'RESOLVED', reason_code: '101.001', alert_outcome_amount, alert_outcome_currency: 'USD' },
    });
    expect(await answer(alertId, part('5.00'))).toMatchObject(refundFirst);
    expect(await answer(alertId, part('4.00'))).toMatchObject({ status: 200 });
    expect(await details(alertId)).toMatchObject({ refunded_by: 'forewarn' });
  });

  it('may do so after a refund at a connection', async () => {
    const connections = [{ kind: 'sandbox', label: 'Trial' }];
    const connected = await ask('connections/set-connections', {
      ...{ as: shop.as, params: { mid: shop.mid }, body: { connections } },
    });
    const connection = (connected.body as { connections: [{ id: string }] }).connections[0].id;
    const alertId = await disputeAt(site, '19.99');
    await refundAlert(alertId, { connection, reference: 'sbc_20260502_01', answer: false });
    expect(await answer(alertId)).toMatchObject({ status: 200 });
    expect(await details(alertId)).toMatchObject({ refunded_by: 'forewarn' });
  });

  it('may name an alert that is refunded as the one that this one repeats', async () => {
    const first = await disputeAt(site, '10.00');
    const second = await disputeAt(site, '10.00');
    const body = { status: 'DECLINED', reason_code: '940.001', tx_details: [{ duplicate_alertid: first }] };
    expect(await answer(second, body)).toMatchObject(refundFirst);
    await answerBySite(first);
    expect(await answer(second, body)).toMatchObject({ status: 200 });
    expect(await details(second)).toMatchObject({ refunded_by: 'merchant' });
  });
});

describe('a refund that was made elsewhere', () => {
  const elsewhere = { date: '2026-05-02', reference: 'RF-77' };

  it('is accepted with its date, sent to the network, and shown as reported by the merchant', async () => {
    const { txid, alertId } = await paidDispute();
    const at = nowIso().slice(0, 10);
    const stated = { date: at, reference: 'RF-77', amount: '10' };
    expect(await answer(alertId, { ...refundedCode, refunded_elsewhere: stated })).toMatchObject({ status: 200 });
    const kept = { date: `${at}T00:00:00.000Z`, reference: 'RF-77', amount: '10.00' };
    expect(await details(alertId)).toMatchObject({
      ...{ status: 'RESOLVED', refunded_by: 'merchant', refunded_elsewhere: kept },
      ...{ alert_outcome_amount: '10.00', alert_outcome_currency: 'USD', alert_outcome_action_date: kept.date },
    });
    expect(await listed(alertId)).toMatchObject({ refunded_by: 'merchant' });
    expect(await outcomesAt(alertId)).toMatchObject([{ update: { alert_outcome_action_date: kept.date } }]);
    await settleDispute(alertId);
    expect((await ledgerAt(txid)).disputes[alertId]).toMatchObject({ elsewhere: 1000n });
    expect(await answer(alertId, { ...refundedCode, refunded_elsewhere: stated })).toMatchObject({ status: 200 });
  });

  it('keeps no card number in its reference', async () => {
    const alertId = await disputeAt(site, '10.00');
    await answer(alertId, {
      ...refundedCode,
      refunded_elsewhere: { date: nowIso(), reference: 'card 4111 1111 1111 1111' },
    });
    expect(JSON.stringify(await details(alertId))).not.toMatch(/4111 1111 1111 1111/);
  });

  it.each([
    [
      'with a code that states no refund',
      { reason_code: '100.003', refunded_elsewhere: elsewhere },
      'refunded_elsewhere:',
    ],
    ['without a date', { refunded_elsewhere: { reference: 'RF-77' } }, 'refunded_elsewhere.date:'],
    ['on a day that is none', { refunded_elsewhere: { date: '2026-02-30' } }, 'refunded_elsewhere.date:'],
    ['in the future', { refunded_elsewhere: { date: '2036-01-01' } }, 'refunded_elsewhere.date: must not be more than'],
    [
      'before the transaction',
      { refunded_elsewhere: { date: '2020-01-01' } },
      'refunded_elsewhere.date: must not be before',
    ],
    [
      'of more than is disputed',
      { refunded_elsewhere: { date: nowIso(), amount: '10.01' } },
      'refunded_elsewhere.amount:',
    ],
    ['of less, with 100.001', { refunded_elsewhere: { date: nowIso(), amount: '4.00' } }, 'refunded_elsewhere.amount:'],
    ['of no amount', { refunded_elsewhere: { date: nowIso(), amount: '1e3' } }, 'refunded_elsewhere.amount:'],
    [
      'of another amount than the outcome',
      {
        ...{ alert_outcome_amount: '10.00', alert_outcome_currency: 'USD' },
        refunded_elsewhere: { date: nowIso(), amount: '4.00' },
      },
      'refunded_elsewhere.amount: must not differ',
    ],
  ])('is refused %s', async (_, change, words) => {
    const alertId = await disputeAt(site, '10.00');
    const refused = await answer(alertId, { ...refundedCode, ...change });
    expect(refused.status).toBe(400);
    expect(refused.body.details).toContain(words);
  });

  it('is refused where Forewarn has made the refund', async () => {
    const { alertId } = await paidDispute();
    await refundAlert(alertId, { answer: false });
    const refused = await answer(alertId, { ...refundedCode, refunded_elsewhere: { date: nowIso() } });
    expect(refused).toMatchObject({
      status: 400,
      body: { details: expect.stringContaining('Forewarn made the refund') },
    });
  });
});

describe("the merchant's own API", () => {
  it('accepts a refund that is not recorded, which is reported by the merchant', async () => {
    const { alertId } = await paidDispute();
    expect(await answerBySite(alertId)).toMatchObject({ status: 200 });
    expect(await details(alertId)).toMatchObject({ refunded_by: 'merchant', refunded_elsewhere: null });
  });

  it('shows a refund that Forewarn made as such', async () => {
    const { alertId } = await paidDispute();
    await refundAlert(alertId, { answer: false });
    expect(await answerBySite(alertId)).toMatchObject({ status: 200 });
    expect(await details(alertId)).toMatchObject({ refunded_by: 'forewarn' });
  });
});

it('shows who made the refund that answered an alert', async () => {
  const { alertId } = await paidDispute();
  await refundAlert(alertId, {});
  expect(await details(alertId)).toMatchObject({ status: 'RESOLVED', refunded_by: 'forewarn' });
  expect(await listed(alertId)).toMatchObject({ refunded_by: 'forewarn' });
});
