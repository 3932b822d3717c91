import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { adyenRoute, stripeRoute } from '#test/payments/transactions/accounts.ts';
import type { Result } from '#test/payments/transactions/shop.ts';
import { type FakeAdyen, startFakeAdyen } from '#test/support/fake-adyen.ts';
import { type FakeStripe, startFakeStripe } from '#test/support/fake-stripe.ts';
import { merchantToken, receive } from '#test/support/personas.ts';
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

/** An error that a test provokes, and that is therefore logged. */
let expectedError: string | undefined;
let seen = 0;
/** Every test leaves nothing behind that went wrong. */
afterEach(async () => {
  await service.untilIdle();
  const lines = service.invocations
    .slice(seen)
    .flatMap(({ logs, error }) => [...(error ? [error.message] : []), ...logs]);
  seen = service.invocations.length;
  const errors = lines.flatMap((line) => /"level":"error".*?"message":"[^"]*"|.*not granted.*/.exec(line) ?? []);
  const unexpected = errors.filter((line) => expectedError === undefined || !line.includes(expectedError));
  expectedError = undefined;
  expect({ unexpected, problems: service.problems }).toEqual({ unexpected: [], problems: [] });
});

const asksForAuthentication = { card_no: '4000002760003184' };
const redirectOf = ({ status, next_action: action }: Result): string => {
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

  it('takes back a refund that the bank returns, and tells the merchant', async () => {
    const { txid } = await shop.pay('30.00');
    const { body } = await shop.refund(txid, '10.00');
    const [made] = stripe.refundsOf(intentOf(txid).id);
    // Two postbacks that are under way at once may come in either order.
    await service.untilIdle();
    await tell(stripe.returnRefund(made ?? ''));
    expect(shop.told(body['txid']).map(({ status }) => status)).toEqual(['OK', 'EXC']);
    expect((await shop.refund(txid, '30.00')).body).toMatchObject({ status: 'OK' });
  });

  it('says that it makes no payouts', async () => {
    await shop.pay('30.00');
    expect(await shop.payout('5.00')).toMatchObject({ status: 'EXC', error_code: 'operation_not_supported' });
  });

  it('declines a card in its own words', async () => {
    expect(await shop.pay('30.00', { card_no: '4000000000009995' })).toMatchObject({
      status: 'EXC',
      error_code: 'insufficient_funds',
    });
  });

  it('authorises, captures once and refunds; or voids', async () => {
    const { txid } = await shop.pay('30.00', { tx_action: 'PREAUTH' });
    expect(await shop.capture(txid, '30.00')).toMatchObject({ status: 'OK', tx_action: 'CAPTURE' });
    expect((await shop.refund(txid, '5.00')).body).toMatchObject({ status: 'OK', ...ofRefund });
    const other = await shop.pay('12.00', { tx_action: 'PREAUTH' });
    expect((await shop.refund(other.txid, '12.00')).body).toMatchObject({ status: 'OK', tx_action: 'VOID' });
    expect(intentOf(other.txid).status).toBe('canceled');
  });

  it('goes on when the payer returns from the issuer, or when they do not and Stripe reports it', async () => {
    const paid = await shop.pay('30.00', asksForAuthentication);
    stripe.authenticate(redirectOf(paid), 'approve');
    const sent = stripe.requests.findLast(({ path }) => path === '/v1/payment_intents')?.body;
    const page = await comeBack(new URLSearchParams(sent).get('return_url'));
    expect(page.status).toBe(200);
    expect(await shop.statusOf(paid.txid)).toMatchObject({ status: 'OK' });

    const other = await shop.pay('31.00', asksForAuthentication);
    stripe.authenticate(redirectOf(other), 'decline');
    const { id, metadata } = intentOf(other.txid);
    await tell({ id, object: 'payment_intent', metadata });
    expect(shop.told(other.txid).at(-1)).toMatchObject({ status: 'EXC', error_code: 'authentication_failed' });
  });

  it("sees a webhook's event immediately, and one without a webhook by itself", async () => {
    stripe.fail('lost', /POST \/v1\/payment_intents$/);
    const { txid, status } = await shop.pay('30.00');
    expect(status).toBe('PEND');
    const { id, metadata } = intentOf(txid);
    await tell({ id, object: 'payment_intent', metadata });
    expect(shop.told(txid).at(-1)).toMatchObject({ status: 'OK' });

    stripe.fail('lost', /POST \/v1\/refunds$/);
    const refund = await shop.refund(txid, '30.00');
    expect(refund.body).toMatchObject({ status: 'PEND', ...ofRefund });
    await service.clock.advance('PT2M');
    expect(shop.told(refund.body['txid']).at(-1)).toMatchObject({ status: 'OK', ...ofRefund });
    expect(intentOf(txid).refunded).toBe(3000);
  });

  it('finds by requery what was lost', async () => {
    stripe.fail('lost', /POST \/v1\/payment_intents$/);
    const { txid, status } = await shop.pay('30.00', { tx_action: 'PREAUTH' });
    expect(status).toBe('PEND');
    expect(await shop.requery(txid)).toMatchObject({ status: 'OK', tx_action: 'PREAUTH' });
    stripe.fail('lost', /POST \/v1\/payment_intents\/\w+\/capture$/);
    const capture = await shop.capture(txid, '30.00');
    expect(capture.status).toBe('PEND');
    expect(await shop.requery(capture.txid)).toMatchObject({ status: 'OK', tx_action: 'CAPTURE' });
  });

  it('keeps a payment in doubt while Stripe cannot be asked, and knows it afterwards', async () => {
    stripe.fail('lost', /POST \/v1\/payment_intents$/);
    const { txid } = await shop.pay('30.00');
    for (const fault of [401, 429, 500] as const) {
      stripe.fail(fault, /GET \/v1\/payment_intents$/);
      expect(await shop.requery(txid)).toMatchObject({ status: 'PEND' });
    }
    expect(await shop.requery(txid)).toMatchObject({ status: 'OK' });
  });

  it('takes no webhook that another has signed, and none of another account', async () => {
    const { txid } = await shop.pay('30.00');
    const { id, metadata } = intentOf(txid);
    const signed = stripe.webhook({ id, object: 'payment_intent', metadata });
    const changed = { ...signed, rawBody: signed.rawBody.replace('payment_intent', 'charge') };
    expect(await shop.webhook('stripe', changed)).toMatchObject({ status: 401 });
    expect(await shop.webhook('adyen', signed)).toMatchObject({ status: 401 });
    expect(await shop.webhook('stripe', { ...signed, headers: {} })).toMatchObject({ status: 401 });
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

  it('authorises, captures and voids', async () => {
    const { txid } = await shop.pay('30.00', { tx_action: 'PREAUTH' });
    const capture = await shop.capture(txid, '30.00');
    expect(capture.status).toBe('PEND');
    await tell();
    expect(await shop.statusOf(capture.txid)).toMatchObject({ status: 'OK', tx_action: 'CAPTURE' });
    const other = await shop.pay('12.00', { tx_action: 'PREAUTH' });
    const void_ = await shop.refund(other.txid, '12.00');
    expect(void_.body).toMatchObject({ status: 'PEND', tx_action: 'VOID' });
    await tell();
    expect(shop.told(void_.body['txid']).at(-1)).toMatchObject({ status: 'OK', tx_action: 'VOID' });
    expect(paymentOf(other.txid).state).toBe('cancelled');
  });

  it('goes on with what the payer brings back from the issuer, also by sendauth', async () => {
    const paid = await shop.pay('30.00', asksForAuthentication);
    const result = adyen.authenticate(redirectOf(paid), 'approve');
    const sent = adyen.requests.findLast(({ path }) => path === '/v71/payments')?.body ?? '{}';
    const { returnUrl } = JSON.parse(sent) as { returnUrl: string };
    expect(await comeBack(returnUrl, '&redirectResult=X-wrong')).toMatchObject({ status: 200 });
    expect(await shop.statusOf(paid.txid)).toMatchObject({ status: 'PEND' });
    expect(await comeBack(returnUrl, `&redirectResult=${result}`)).toMatchObject({ status: 200 });
    expect(await shop.statusOf(paid.txid)).toMatchObject({ status: 'OK' });

    const other = await shop.pay('31.00', asksForAuthentication);
    const authvalue = adyen.authenticate(redirectOf(other), 'decline');
    expect(await shop.sendAuth(other.txid, { authtype: 'redirect', authvalue })).toMatchObject({ status: 'EXC' });
    await tell();
    expect(shop.told(other.txid).at(-1)).toMatchObject({ status: 'EXC', error_code: 'authentication_failed' });
  });

  it('learns lost results from webhooks, and ends what none reports', async () => {
    adyen.fail('lost', /POST \/v71\/payments$/);
    const { txid, status } = await shop.pay('30.00');
    expect(status).toBe('PEND');
    await tell();
    expect(shop.told(txid).at(-1)).toMatchObject({ status: 'OK' });

    adyen.fail('lost', /POST \/v71\/payments$/);
    const unheard = await shop.pay('31.00', { tx_action: 'PREAUTH' });
    adyen.loseWebhooks();
    expect(await shop.requery(unheard.txid)).toMatchObject({ status: 'PEND' });
    await service.clock.advance('PT3H');
    await tell();
    expect(shop.told(unheard.txid).at(-1)).toMatchObject({ status: 'EXC', error_code: 'processor_unavailable' });
    expect(paymentOf(unheard.txid).state).toBe('cancelled');
  });

  it('sends a refund in doubt again, and does it once', async () => {
    const { txid } = await shop.pay('30.00');
    adyen.fail('lost', /POST \/v71\/payments\/\w+\/refunds$/);
    const refund = await shop.refund(txid, '30.00');
    expect(refund.body).toMatchObject({ status: 'PEND' });
    await service.clock.advance('PT2M');
    await tell();
    expect(shop.told(refund.body['txid']).at(-1)).toMatchObject({ status: 'OK', ...ofRefund });
    expect(paymentOf(txid).refunded).toBe(3000);
  });

  it('takes no webhook that another has signed, and has one come again whose handling failed', async () => {
    const { txid } = await shop.pay('30.00');
    const forged = adyen.sign(
      [{ eventCode: 'AUTHORISATION', success: true, pspReference: 'FORGED0000001', merchantReference: `${txid}-x` }],
      { hmacKey: 'ab'.repeat(32) },
    );
    expect(await shop.webhook('adyen', forged)).toMatchObject({ status: 401 });

    // A payment that was ended, whose authorisation comes late: as long as it cannot be reversed, Adyen is to tell again.
    adyen.loseWebhooks();
    adyen.fail('never', /POST \/v71\/payments$/);
    const ended = await shop.pay('32.00', { tx_action: 'PREAUTH' });
    await service.clock.advance('PT3H');
    await tell();
    expect(await shop.statusOf(ended.txid)).toMatchObject({ status: 'EXC', error_code: 'not_found_at_processor' });
    const late = adyen.requests.findLast(({ path }) => path === '/v71/cancels')?.body ?? '{}';
    const { reference: merchantReference } = JSON.parse(late) as { reference: string };
    const pspReference = paymentOf(txid).psp;
    const providerAlert = adyen.sign([{ eventCode: 'AUTHORISATION', success: true, pspReference, merchantReference }]);
    expectedError = 'could not be reversed yet';
    adyen.fail(500, /\/reversals$/);
    expect((await shop.webhook('adyen', providerAlert)).status).toBe(500);
    expect((await shop.webhook('adyen', providerAlert)).status).toBe(200);
    expect(adyen.reversed).toBe(1);
  });

  it('refunds at the account that took the payment, whatever is routed since', async () => {
    const { txid } = await shop.pay('30.00');
    await shop.routeTo(stripeRoute(stripe));
    const refund = await shop.refund(txid, '7.00');
    expect(refund.body).toMatchObject({ status: 'PEND' });
    await tell();
    expect(shop.told(refund.body['txid']).at(-1)).toMatchObject({ status: 'OK', ...ofRefund });
  });
});
