import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { adyenRoute, stripeRoute } from '#test/payments/transactions/accounts.ts';
import type { Result } from '#test/payments/transactions/shop.ts';
import { type FakeAdyen, startFakeAdyen } from '#test/support/fake-adyen.ts';
import { type FakeStripe, startFakeStripe } from '#test/support/fake-stripe.ts';
import { expectNoErrors, merchantToken, receive } from '#test/support/personas.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';
import { openShop, type Shop } from './shops.ts';

let service: TestStack;
let stripe: FakeStripe;
let adyen: FakeAdyen;
beforeAll(async () => {
  [service, stripe, adyen] = [
    await startStack({ startTime: '2026-05-02T10:00:00Z' }),
    await startFakeStripe(),
    await startFakeAdyen(),
  ];
});
afterAll(async () => {
  setClock();
  await service.stop();
  await Promise.all([stripe, adyen].map((fake) => fake[Symbol.asyncDispose]()));
});

const asksForAuthentication = { card_no: '4000002760003184' };
const getRedirect = ({ status, next_action: action }: Result): string => {
  expect({ status, type: action?.type }).toEqual({ status: 'PEND', type: 'redirect' });
  return action?.url ?? '';
};
/** The page to which the issuer sends a payer back. */
const comeBack = (url: string | null, more = '') =>
  service.call(`${new URL(url ?? '').pathname}${new URL(url ?? '').search}${more}`, { method: 'GET' });
const ofRefund = { tx_action: 'REFUND' };

describe('a site whose payments go to Stripe', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(service, 'stripe-shop');
    await shop.routeTo(stripeRoute(stripe));
  });
  beforeEach(() => service.sinks.clear('stripe-shop'));

  const intentOf = (txid: number) =>
    [...stripe.intents.values()].find(({ metadata }) => metadata['txid'] === String(txid)) ?? expect.fail('no intent');
  const tell = async (object: Record<string, unknown>) => {
    expect(await shop.webhook('stripe', stripe.webhook(object))).toMatchObject({ status: 200, text: '[accepted]' });
    await service.untilIdle();
  };

  it('pays, refunds in parts and not too much, and tells the balance', async () => {
    const { txid, ...paid } = await shop.pay('30.00');
    expect(paid).toMatchObject({ status: 'OK', tx_action: 'PAYMENT', amount: 30 });
    expect((await shop.refund(txid, '10.00')).body).toMatchObject({ status: 'OK', ...ofRefund });
    expect((await shop.refund(txid, '20.01')).status).toBe(409);
    expect((await shop.refund(txid, '20.00')).body).toMatchObject({ status: 'OK', ...ofRefund });
    expect(intentOf(txid).refunded).toBe(3000);
    const { body } = await shop.balance();
    expect(body).toMatchObject({ source: 'processor' });
    expect(body['balances']).toContainEqual({ currency: 'USD', available: 123.45, reserved: 2 });
    await service.untilIdle();
    expect(shop.told().map(({ status, tx_action }) => `${tx_action} ${status}`)).toEqual([
      'PAYMENT OK',
      'REFUND OK',
      'REFUND OK',
    ]);
  });

  it('goes on when the payer returns from the issuer, or when they do not and Stripe reports it', async () => {
    const paid = await shop.pay('30.00', asksForAuthentication);
    stripe.authenticate(getRedirect(paid), 'approve');
    const sent = stripe.requests.findLast(({ path }) => path === '/v1/payment_intents')?.body;
    const page = await comeBack(new URLSearchParams(sent).get('return_url'));
    expect(page.status).toBe(200);
    expect(await shop.statusOf(paid.txid)).toMatchObject({ status: 'OK' });

    const other = await shop.pay('31.00', asksForAuthentication);
    stripe.authenticate(getRedirect(other), 'decline');
    const { id, metadata } = intentOf(other.txid);
    await tell({ id, object: 'payment_intent', metadata });
    expect(shop.told(other.txid).at(-1)).toMatchObject({ status: 'EXC', error_code: 'authentication_failed' });
  });

  it('refunds at the account that took the payment, whatever is routed since', async () => {
    const { txid } = await shop.pay('30.00');
    await shop.routeTo({ processor: 'sandbox' });
    expect(await shop.pay('30.00')).toMatchObject({ status: 'OK' });
    expect((await shop.refund(txid, '7.00')).body).toMatchObject({ status: 'OK', ...ofRefund });
    expect(intentOf(txid).refunded).toBe(700);
    expect((await shop.balance()).body).toMatchObject({ source: 'books' });
    const { id, metadata } = intentOf(txid);
    await tell({ id, object: 'payment_intent', metadata });
  });
});

/** A rule of the demo merchant's alert site that refunds whatever is disputed; answers the way to switch it off. */
const refundEverything = async () => {
  const { sid } = service.credentials.site;
  const conditions = { all: [{ fact: 'amount', operator: 'greaterThanInclusive', value: 0 }] };
  const { body } = await service.call('/api/v3/service_alerts/rules/create', {
    token: await merchantToken(service),
    body: { sid, name: 'Refund', action: { type: 'refund' }, conditions },
  });
  return async () =>
    service.call(`/api/v3/service_alerts/rules/${body['rule_id']}/disable`, {
      token: await merchantToken(service),
      body: {},
    });
};

it('a rule refunds at the processor that took the payment, for either of them', async () => {
  const disable = await refundEverything();
  const shops = [await openShop(service, 'stripe-disputes'), await openShop(service, 'adyen-disputes')] as const;
  await shops[0].routeTo(stripeRoute(stripe));
  await shops[1].routeTo(adyenRoute(adyen));
  for (const [index, amount] of ['45.10', '45.20'].entries()) {
    const { txid } = (await shops[index]?.pay(amount)) ?? expect.fail('no shop');
    const alertId = await receive(service, {
      ...{ cardBin: '424242', cardLast4: '4242', authCode: '' },
      amount: { value: amount, currencyCode: 'USD' },
      transactionTimestamp: service.clock.now().toISOString(),
    });
    const { body } = await service.call(`/api/v3/service_alerts/alert/${alertId}/details`, {
      token: await merchantToken(service),
      body: {},
    });
    expect(body).toMatchObject({ status: 'RESOLVED', automatic: { result: 'refunded', reason: null } });
    expect(String(body['txdetails'])).toContain(String(txid));
  }
  await disable();
  for (const webhook of adyen.takeWebhooks()) expect((await shops[1].webhook('adyen', webhook)).status).toBe(200);
  await service.untilIdle();
  expect([...stripe.intents.values()].at(-1)?.refunded).toBe(4510);
  expect(adyen.payments.at(-1)?.refunded).toBe(4520);
  for (const shop of shops) expect(shop.told().at(-1)).toMatchObject({ status: 'OK', ...ofRefund });
});

describe('a site whose payments go to Adyen', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(service, 'adyen-shop');
    await shop.routeTo(adyenRoute(adyen));
  });
  beforeEach(() => service.sinks.clear('adyen-shop'));

  const tell = async () => {
    for (const webhook of adyen.takeWebhooks()) {
      expect(await shop.webhook('adyen', webhook)).toMatchObject({ status: 200, text: '[accepted]' });
    }
    await service.untilIdle();
  };
  const paymentOf = (txid: number) =>
    adyen.payments.find(({ reference }) => reference.startsWith(`${txid}-`)) ?? expect.fail('no payment');

  it('pays, and refunds in parts when its webhooks say so', async () => {
    const { txid, ...paid } = await shop.pay('30.00');
    expect(paid).toMatchObject({ status: 'OK', tx_action: 'PAYMENT' });
    const refund = await shop.refund(txid, '10.00');
    expect(refund.body).toMatchObject({ status: 'PEND', ...ofRefund });
    expect((await shop.refund(txid, '20.01')).status).toBe(409);
    await tell();
    expect(shop.told(refund.body['txid']).at(-1)).toMatchObject({ status: 'OK', ...ofRefund });
    expect(paymentOf(txid).refunded).toBe(1000);
    expect((await shop.balance()).body).toMatchObject({
      source: 'books',
      balances: [{ currency: 'USD', available: 20, reserved: 0 }],
    });
  });

  it('goes on with what the payer brings back from the issuer, also by sendauth', async () => {
    const paid = await shop.pay('30.00', asksForAuthentication);
    const result = adyen.authenticate(getRedirect(paid), 'approve');
    const sent = adyen.requests.findLast(({ path }) => path === '/v71/payments')?.body ?? '{}';
    const { returnUrl } = JSON.parse(sent) as { returnUrl: string };
    expect(await comeBack(returnUrl, '&redirectResult=X-wrong')).toMatchObject({ status: 200 });
    expect(await shop.statusOf(paid.txid)).toMatchObject({ status: 'PEND' });
    expect(await comeBack(returnUrl, `&redirectResult=${result}`)).toMatchObject({ status: 200 });
    expect(await shop.statusOf(paid.txid)).toMatchObject({ status: 'OK' });

    const other = await shop.pay('31.00', asksForAuthentication);
    const authvalue = adyen.authenticate(getRedirect(other), 'decline');
    expect(await shop.sendAuth(other.txid, { authtype: 'redirect', authvalue })).toMatchObject({ status: 'EXC' });
    await tell();
    expect(shop.told(other.txid).at(-1)).toMatchObject({ status: 'EXC', error_code: 'authentication_failed' });
  });
});

it('goes by without a complaint of the stack or an error of a function', () => expectNoErrors(service));
