import { beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { type RefundPort, RefundStateUnknownError } from '#disputes/alerts/automatic/refund-port.ts';
import { decideAlert } from '#disputes/rules/decide/decide-store.ts';
import { paymentRefunds } from '#disputes/rules/decide/payment-refund-flow.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import {
  alertAt,
  disputeAt,
  formFields,
  makeRcode,
  noticesAt,
  outcomesAt,
  seedEnrolledSite,
} from '#test/disputes/alerts/seed.ts';
import { newShop, pay } from '#test/payments/transactions/shop.ts';
import { fakeProcessor, ledgerAt, paymentAt, useSandbox } from '#test/payments/transactions/support.ts';
import { ask, beforeTransactions, useOperations } from '#test/support/operations.ts';
import { settle } from '#test/support/settle.ts';
import { always } from './samples.ts';

/** Refunds of payments taken here that fail in the moment in which the rule that made them answers with them. */

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

const openDispute = (amount: string): Promise<number> =>
  disputeAt(site, amount, { cardBin: '424242', cardLast4: '4242', authCode: '', transactionTimestamp: nowIso() });
const decide = (alertId: number) => decideAlert(alertId, paymentRefunds, false);

/** Its processor says that a refund has failed. */
const fails = (txid: number): Promise<void> => {
  const query = async () => ({ outcome: 'EXC', code: 'refund_failed', reference: null }) as const;
  return settle({ txid, told: true }, { processorFor: async () => fakeProcessor({ query }) });
};

/** Does something just before the first transaction that writes the alert as its rule decided it. */
const beforeDecision = (alertId: number, work: () => Promise<unknown>): void =>
  beforeTransactions(async ({ TransactItems: parts = [] }) => {
    const isDecision = parts.some(({ Put }) => Put?.Item?.['alert']?.automatic?.decision && Put.Item['id'] === alertId);
    if (!isDecision) return;
    beforeTransactions();
    await work();
  });

const findRefund = async (txid: number, alertId: number): Promise<number> =>
  (await ledgerAt(txid)).disputes[alertId]?.refundTxid ?? expect.fail('no refund');

describe('a refund of a payment taken here that fails as its rule answers with it', () => {
  // The sandbox decides on a part that ends in .61 a minute later.
  it.each([
    ['OK', '1.00'],
    ['PEND', '4.39'],
  ])('answers nothing: %s until then', async (status, amount) => {
    const { txid } = await pay(shop, '10.00');
    const before = await ask('refunds/processrefund', {
      as: shop.as,
      params: { parentxid: txid },
      body: { amount, currency: 'USD' },
    });
    expect(before).toMatchObject({ status: 200 });
    const { refunded } = await ledgerAt(txid);
    const alertId = await openDispute('10.00');
    let refundTxid = 0;
    beforeDecision(alertId, async () => {
      refundTxid = await findRefund(txid, alertId);
      expect(await paymentAt(refundTxid)).toMatchObject({ status, processorReference: expect.any(String) });
      await fails(refundTxid);
    });
    await decide(alertId);
    expect(await paymentAt(refundTxid)).toMatchObject({ status: 'EXC' });
    expect(await alertAt(alertId)).toMatchObject({
      ...{ status: 'OPEN', action: 'MATCHED', update: null },
      automatic: { refund: null, decision: { result: 'left_to_merchant', reason: 'refund_failed' } },
    });
    expect(await outcomesAt(alertId)).toEqual([]);
    const { delivery } = await noticesAt(alertId);
    expect(formFields(delivery?.body)).toMatchObject({ alert_action: 'MATCHED' });
    expect(await ledgerAt(txid)).toMatchObject({ refunded, inFlight: {} });
  });

  it('is not shown as made either with an alert that its merchant has answered meanwhile', async () => {
    const { txid } = await pay(shop, '10.00');
    const alertId = await openDispute('10.00');
    beforeDecision(alertId, async () => {
      const body = { alert_id: String(alertId), status: 'DECLINED', reason_code: '902.002' };
      await ask('alerts/update-alert', { as: 'nobody', headers: { rcode: makeRcode(site.sid) }, body });
      beforeDecision(alertId, async () => fails(await findRefund(txid, alertId)));
    });
    await decide(alertId);
    expect(await alertAt(alertId)).toMatchObject({
      ...{ status: 'DECLINED', update: { reason_code: '902.002' } },
      automatic: { refund: null, decision: { result: 'left_to_merchant', reason: 'refund_failed' } },
    });
  });
});

it('answers on the last try with a refund whose result comes in as it is given up', async () => {
  const { txid } = await pay(shop, '10.00');
  const alertId = await openDispute('10.00');
  let asked = 0;
  const late: RefundPort = {
    ...paymentRefunds,
    refund: async (request) => {
      const made = await paymentRefunds.refund(request);
      asked += 1;
      if (asked < 3) throw new RefundStateUnknownError(await findRefund(txid, alertId));
      return made;
    },
  };
  await expect(decideAlert(alertId, late, false)).rejects.toThrow(RefundStateUnknownError);
  await decideAlert(alertId, late, true);
  expect(await alertAt(alertId)).toMatchObject({
    ...{ status: 'RESOLVED', update: { reason_code: '100.001' } },
    automatic: { decision: { result: 'refunded' } },
  });
  expect((await ledgerAt(txid)).refunded).toBe(1000n);
});
