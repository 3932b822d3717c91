import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { setClock } from '#core/kernel/clock.ts';
import { decideAlert, factsFor } from '#disputes/rules/decide/decide-store.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { aSite } from '#test/disputes/alerts/samples.ts';
import { alertAt, callsDuring, disputeAt, fresh, seedEnrolledSite } from '#test/disputes/alerts/seed.ts';
import { seedPayment } from '#test/payments/cardsearch/seed.ts';
import { sentOrder } from '#test/payments/orders/samples.ts';
import { newShop } from '#test/payments/transactions/shop.ts';
import { useSandbox } from '#test/payments/transactions/support.ts';
import { makeArn } from '#test/support/arns.ts';
import { ask, useOperations } from '#test/support/operations.ts';
import { aRule, noProcessor } from './samples.ts';

useOperations();
useSandbox();

let shop: Tenant;
let site: Site;
beforeEach(async () => {
  setClock(() => Date.parse('2026-05-02T22:30:00Z'));
  shop = await newShop({}, { order_insights: true, oi_merchant_id: `oi-facts-${fresh()}` });
  site = await seedEnrolledSite(shop.mid);
});
afterEach(() => setClock());

/** The facts of an alert for a rule that compares these. */
const readFacts = async (alertId: number, ...names: string[]) => {
  const all = names.map((fact) => ({ fact, operator: 'notEqual', value: 'none' }));
  return factsFor(await alertAt(alertId), [aRule({ conditions: { all } })]);
};

/** The merchant's order of 39.00 USD; its ARN. */
const order = async (change: Record<string, unknown> = {}): Promise<string> => {
  const arn = makeArn(fresh());
  const parts = { amount_subtotal: undefined, amount_shipping: undefined, amount_tax: undefined };
  const sent = sentOrder({
    ...{ reference: `O-${fresh()}`, amount: '39.00', ...parts, amount_coupon: undefined, arn, auth_code: '' },
    ...{ card_firstsix: '411111', card_lastfour: '1111', order_date: '2026-05-02T02:00:00Z', transaction_date: null },
    ...{ descriptor: 'SHOP', refunds: null, processor: null, subscription: null, ...change },
  });
  const made = await ask('orders/create-order', { as: shop.as, body: { sid: shop.sid, ...sent } });
  expect(made).toMatchObject({ status: 200 });
  return arn;
};

const price = (amount: string, currency = 'USD') =>
  ask('costs/set-alert-prices', {
    params: { mid: shop.mid },
    body: { provider: 'provider_a', price: amount, currency },
  });

describe('the facts of a case', () => {
  it('are the disputed amount and currency, or those of the transaction', async () => {
    const alert = await alertAt(await disputeAt(site, '39.00'));
    expect(await factsFor(alert, [])).toMatchObject({ dispute_amount: 39, dispute_currency: 'USD' });
    const providerAlert = { ...alert.providerAlert, disputeAmount: '30.50', disputeCurrency: 'EUR' };
    expect(await factsFor({ ...alert, providerAlert }, [])).toMatchObject({
      ...{ amount: 39, dispute_amount: 30.5, dispute_currency: 'EUR' },
    });
  });

  it('cost no call that no rule asks for', async () => {
    const alert = await alertAt(await disputeAt(site, '39.00'));
    let facts = {};
    expect(await callsDuring(async () => (facts = await factsFor(alert, [aRule()])))).toBe(0);
    expect(facts).not.toHaveProperty('order_value');
  });

  it('are the value, delivery status and subscription of the order', async () => {
    const deliveries = [{ type: 'physical', status: 'delivered' }];
    const arn = await order({ deliveries, subscription: { interval: 'month' } });
    const alertId = await disputeAt(site, '39.00', { arn });
    const names = ['order_value', 'delivery_status', 'subscription'];
    expect(await readFacts(alertId, ...names)).toMatchObject({
      ...{ order_value: 39, delivery_status: 'delivered', subscription: true },
    });
    const unknown = await disputeAt(site, '12.00', { cardLast4: '2222' });
    expect(await readFacts(unknown, ...names)).toMatchObject({
      ...{ order_value: null, delivery_status: null, subscription: null },
    });
  });

  it('are the liability shift of the payment taken here', async () => {
    const shifted = (liabilityShift: boolean) => ({
      ...{ source: 'verified' as const, transStatus: 'Y', eci: '05' },
      own: { id: 1, outcome: 'authenticated', liabilityShift },
    });
    const paying = aSite({ sid: shop.sid, mid: shop.mid, rid: shop.rid });
    const money = { minor: '3900', currency: 'USD' };
    const created = { createdAt: '2026-05-02T01:00:00.000Z', money };
    await seedPayment(paying, { ...created, threeDs: shifted(true) });
    const alertId = await disputeAt(site, '39.00');
    expect(await readFacts(alertId, 'liability_shift')).toMatchObject({ liability_shift: true });
    await seedPayment(paying, { ...created, threeDs: shifted(true) });
    expect(await readFacts(alertId, 'liability_shift')).toMatchObject({ liability_shift: null });
  });

  it('are what is disputed beyond the price of the alert, in its currency alone', async () => {
    await price('25.00');
    const alertId = await disputeAt(site, '39.10');
    expect(await readFacts(alertId, 'margin_over_price')).toMatchObject({ margin_over_price: 14.1 });
    const inEuros = await disputeAt(site, '39.10', { amount: { value: '39.10', currencyCode: 'EUR' } });
    expect(await readFacts(inEuros, 'margin_over_price')).toMatchObject({ margin_over_price: null });
  });

  it('are the worst standing in the programmes, by the latest month with figures', async () => {
    const alertId = await disputeAt(site, '39.00');
    expect(await readFacts(alertId, 'programme_status')).toMatchObject({ programme_status: null });
    const figures = { mid: shop.mid, month: '2026-04', scheme: 'VISA', settled_count: 10_000, chargeback_count: 1600 };
    expect(await ask('reports/set-figures', { as: 'admin', body: figures })).toMatchObject({ status: 200 });
    expect(await readFacts(alertId, 'programme_status')).toMatchObject({ programme_status: 'over' });
  });

  it('are the earlier disputes of the card within 30 days', async () => {
    const first = await disputeAt(site, '39.00');
    expect(await readFacts(first, 'earlier_disputes')).toMatchObject({ earlier_disputes: 0 });
    const second = await disputeAt(site, '41.00');
    expect(await readFacts(second, 'earlier_disputes')).toMatchObject({ earlier_disputes: 1 });
  });

  it('decide alerts, and show in the dry run', async () => {
    await price('25.00');
    const conditions = {
      all: [
        { fact: 'margin_over_price', operator: 'greaterThan', value: 10 },
        { fact: 'dispute_currency', operator: 'equal', value: 'USD' },
      ],
    };
    const action = { type: 'decline', reason_code: '900.002', comments: 'Delivered' };
    const rule = { sid: site.sid, name: 'Worth it', conditions, action };
    expect(await ask('rules/create-rule', { body: rule })).toMatchObject({ status: 200 });
    const [dear, cheap] = [await disputeAt(site, '39.00'), await disputeAt(site, '30.00')];
    for (const alertId of [dear, cheap]) await decideAlert(alertId, noProcessor, false);
    expect(await alertAt(dear)).toMatchObject({
      status: 'DECLINED',
      automatic: { decision: { facts: { margin_over_price: 14 } } },
    });
    expect(await alertAt(cheap)).toMatchObject({ status: 'OPEN', automatic: null });
    const { body } = await ask('rules/dry-run', { as: { mid: site.mid }, body: { sid: site.sid } });
    expect(body).toMatchObject({ evaluated: 2, matched: 1, list: [{ alert_id: dear, would: 'decline' }] });
  });
});
