import { beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { RetryLaterError } from '#core/platform/operation/worker.ts';
import { dayFigures } from '#disputes/reports/alert-day.ts';
import { decideAlert } from '#disputes/rules/decide/decide-store.ts';
import { paymentRefunds } from '#disputes/rules/decide/payment-refund-flow.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { alertAt, disputeAt, outcomesAt, seedEnrolledSite } from '#test/disputes/alerts/seed.ts';
import { always } from '#test/disputes/rules/samples.ts';
import { newShop, pay } from '#test/payments/transactions/shop.ts';
import { ledgerAt, paymentAt, settleEverything, useSandbox } from '#test/payments/transactions/support.ts';
import { ask, useOperations } from '#test/support/operations.ts';
import { settle } from '#test/support/settle.ts';

useOperations();
useSandbox();

let shop: Tenant;
let site: Site;
beforeEach(async () => {
  shop = await newShop();
  site = await seedEnrolledSite(shop.mid, { max_daily_refunds: 1000 });
  const body = { sid: site.sid, name: 'Refund', conditions: always, action: { type: 'refund' } };
  expect(await ask('rules/create-rule', { body })).toMatchObject({ status: 200 });
});

/** An alert whose rule refunds this amount of a payment; the rule does not learn the result. The sandbox decides by the cents. */
const awaitingRefund = async (amount: string): Promise<{ alertId: number; refundTxid: number }> => {
  const { txid } = await pay(shop, '20.00');
  const earlier = (20 - Number(amount)).toFixed(2);
  const body = { amount: earlier, currency: 'USD' };
  await ask('refunds/processrefund', { as: shop.as, params: { parentxid: txid }, body });
  const alertId = await disputeAt(site, '20.00', {
    ...{ cardBin: '424242', cardLast4: '4242', transactionTimestamp: nowIso() },
  });
  await expect(decideAlert(alertId, paymentRefunds, false)).rejects.toThrow(RetryLaterError);
  await decideAlert(alertId, paymentRefunds, true);
  expect(await alertAt(alertId)).toMatchObject({
    status: 'WIP',
    automatic: { decision: { result: 'refund_pending' } },
  });
  const refundTxid = (await ledgerAt(txid)).disputes[alertId]?.refundTxid ?? expect.fail('No refund');
  return { alertId, refundTxid };
};

describe('a refund by a rule whose result the rule did not wait for', () => {
  const own = { status: 'DECLINED', reason_code: '902.002' };
  const answer = (alertId: number) =>
    ask('alerts/answer-alert', { as: shop.as, params: { alert_id: alertId }, body: own });

  it('leaves the alert to the merchant, with the reason, once it has failed', async () => {
    const { alertId, refundTxid } = await awaitingRefund('10.66');
    await settle({ txid: refundTxid });
    expect(await paymentAt(refundTxid)).toMatchObject({ status: 'PEND', checks: 1 });
    expect(await alertAt(alertId)).toMatchObject({ automatic: { decision: { result: 'refund_pending' } } });
    await settleEverything();
    expect(await alertAt(alertId)).toMatchObject({
      ...{ status: 'WIP', action: 'MATCHED' },
      automatic: { decision: { result: 'left_to_merchant', reason: 'not_found_at_processor' } },
    });
  });

  it('answers the alert once it is done', async () => {
    const { alertId } = await awaitingRefund('10.62');
    await settleEverything();
    expect(await alertAt(alertId)).toMatchObject({
      ...{ status: 'RESOLVED', update: { reason_code: '101.001' } },
      automatic: { decision: { result: 'refunded', answeredWith: '101.001' } },
    });
  });

  it.each([
    ['has failed', '10.66', { result: 'left_to_merchant', reason: 'not_found_at_processor' }, 'refund failed'],
    ['is done', '10.62', { result: 'left_to_merchant', reason: 'answered_before_refund' }, 'refunded'],
  ])("shows that it %s, and keeps the merchant's own answer", async (_, amount, decision, event) => {
    const { alertId, refundTxid } = await awaitingRefund(amount);
    expect(await answer(alertId)).toMatchObject({ status: 200 });
    const outcomes = await outcomesAt(alertId);
    await settleEverything();
    expect(await alertAt(alertId)).toMatchObject({ status: 'DECLINED', update: own, automatic: { decision } });
    expect(await outcomesAt(alertId)).toEqual(outcomes);
    expect(dayFigures(await alertAt(alertId)).get('by|person|fate|declined')).toBe(1);
    const details = await ask('alerts/alert-details', { as: shop.as, params: { alert_id: alertId } });
    const { history } = details.body as { history: object[] };
    const entry = { by: `refund ${refundTxid}`, change: expect.objectContaining({ event }) };
    expect(history).toContainEqual(expect.objectContaining(entry));
  });
});
