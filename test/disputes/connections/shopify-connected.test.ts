import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iso, milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import { problemsOfFields } from '#payments/processors/credentials/credentials.ts';
import { connectShopify } from '#payments/processors/shopify/shopify-connected-client.ts';
import { shopify as declaration } from '#payments/processors/shopify/shopify-declaration.ts';
import { shopifyDisputesOf } from '#payments/processors/shopify/shopify-disputes-client.ts';
import { shopifyNumberOf, shopifyReferenceOf } from '#payments/processors/shopify/shopify-orders.ts';
import { shopifyWebhookOf } from '#payments/processors/shopify/shopify-webhook-client.ts';
import { type FakeShopify, refundsFailAtShopify, startFakeShopify } from '#test/support/fake-shopify.ts';
import { accountWith } from './account-with.ts';
import { aDispute, aRefund, describeConnectedProcessor } from './contract.ts';

let shopify: FakeShopify;
const withSecret = (client_secret: string) => ({
  ...{ shop: 'my-shop.myshopify.com', client_id: shopify.clientId, client_secret, base_url: shopify.url },
});

describeConnectedProcessor('shopify', {
  start: async () => {
    shopify = await startFakeShopify();
    const at = (secret: string) => connectShopify(withSecret(secret));
    return {
      connected: at(shopify.clientSecret),
      connectedWith: (keys) => at(keys === 'wrong' ? 'shpss_anotherSecretOfNoApp' : shopify.readOnlySecret),
      charge: ({ minor, number = '', at: made, isCaptured = true }) =>
        shopifyReferenceOf(
          shopify.sell({ minor, number, ...(made && { at: made }), ...(!isCaptured && { isCaptured }) }).id,
        ),
      refundByHand: (reference, minor) => shopify.refundByHand(shopifyNumberOf(reference) ?? '', minor),
      chargeBack: (reference) => void shopify.dispute(shopifyNumberOf(reference) ?? ''),
      refunds: () => shopify.refunds.size,
      lose: (how) => shopify.fail(how, /mutation Refund/, 1),
      breakQuestions: (status) => shopify.fail(status, /query /),
      subscribed: (wish) => {
        const { id, order } = shopify.sell({ minor: wish.minor });
        shopify.contracts.set(order, { status: 'ACTIVE', isOurs: true });
        return {
          reference: shopifyReferenceOf(id),
          isEnded: () => shopify.contracts.get(order)?.status === 'CANCELLED',
        };
      },
    };
  },
  stop: () => shopify[Symbol.asyncDispose](),
  missing: ['write_orders'],
  refundsFail: refundsFailAtShopify,
  beforeSettlement: 'parts',
});

describe('shopify: what only Shopify does', () => {
  beforeAll(async () => {
    shopify = await startFakeShopify();
  });
  afterAll(() => shopify[Symbol.asyncDispose]());
  const connected = () => connectShopify(withSecret(shopify.clientSecret));
  const account = accountWith(() => withSecret(shopify.clientSecret));

  it('finds the capture of an authorization, with the card of that, and not the authorization', async () => {
    const { id } = shopify.sell({ minor: 2211, isCaptured: true });
    const found = await connected().find(aDispute({ money: { minor: 2211n, currency: 'USD' } }));
    expect(found).toMatchObject({
      candidates: [
        { reference: shopifyReferenceOf(id), type: 'capture', first6: '411111', brand: 'VISA', captured: 2211n },
      ],
      isWhole: true,
    });
  });

  it('counts a refund of an authorization against its only capture, and leaves those of several captures unclear', async () => {
    const capture = shopify.sell({ minor: 5000, isCaptured: true });
    const authorization = capture.parent ?? '';
    shopify.refundByHand(authorization, 2000);
    expect(await connected().look(shopifyReferenceOf(capture.id))).toMatchObject({ refunded: 2000n, isUnclear: false });
    const second = { ...capture, id: `${Number(capture.id) + 500_000}`, minor: 1000 };
    shopify.transactions.set(second.id, second);
    expect(await connected().look(shopifyReferenceOf(capture.id))).toMatchObject({ refunded: 0n, isUnclear: true });
    shopify.transactions.delete(second.id);
  });

  it('says when it was not shown all orders', async () => {
    const at = nowMilliseconds() - 30 * milliseconds.day;
    for (let count = 0; count < 51; count += 1) shopify.sell({ minor: 2222, at });
    const money = { minor: 2222n, currency: 'USD' };
    expect(await connected().find(aDispute({ money, day: iso(at) }))).toMatchObject({ isWhole: false });
  });

  it.each([
    ['JPY', 3000, 1000n],
    ['KWD', 30_000, 10_500n],
    ['EUR', 3000, 1000n],
  ])('refunds a part in %s, the currency of the buyer', async (currency, minor, part) => {
    const { id } = shopify.sell({ minor, currency });
    const request = aRefund(id, part, { money: { minor: part, currency } });
    expect(await connected().refund(request)).toMatchObject({ outcome: 'OK' });
    expect(await connected().look(id)).toMatchObject({ captured: BigInt(minor), refunded: part });
    const other = aRefund(id, 1n, { money: { minor: 1n, currency: 'GBP' } });
    expect(await connected().refund(other)).toMatchObject({ outcome: 'EXC', code: 'amount_invalid' });
  });

  it('reports a refund as pending until its transaction succeeds or fails', async () => {
    const { id } = shopify.sell({ minor: 3000 });
    const request = aRefund(id, 3000n);
    shopify.answerRefunds('PENDING');
    expect(await connected().refund(request)).toMatchObject({ outcome: 'PEND' });
    expect(await connected().refundState(request)).toMatchObject({ outcome: 'PEND' });
    shopify.answerRefunds('FAILURE');
    expect(await connected().refundState(request)).toMatchObject({ outcome: 'EXC', code: 'refund_failed' });
    shopify.answerRefunds('SUCCESS');
  });

  it('leaves a refund unknown after an internal error or a broken answer, and does not repeat it by itself', async () => {
    for (const fault of [500, 'cut'] as const) {
      const { id } = shopify.sell({ minor: 3000 });
      const sent = shopify.requests.length;
      shopify.fail(fault, /mutation Refund/, 1);
      expect(await connected().refund(aRefund(id, 3000n))).toMatchObject({ outcome: 'UNKNOWN' });
      const mutations = shopify.requests.slice(sent).filter(({ body }) => body.includes('mutation Refund'));
      expect(mutations).toHaveLength(1);
    }
  });

  it('reads disputes page by page, and tells inquiries from chargebacks', async () => {
    const { id } = shopify.sell({ minor: 1999 });
    const at = nowMilliseconds() - milliseconds.hour;
    for (let count = 0; count < 100; count += 1) shopify.dispute(id, { status: 'WON', at: nowMilliseconds() });
    const inquiry = shopify.dispute(id, { type: 'INQUIRY', at });
    const old = shopify.dispute(id, { at: nowMilliseconds() - 40 * milliseconds.day });
    const port = shopifyDisputesOf(account);
    const listed = await port?.since?.(iso(nowMilliseconds() - milliseconds.day));
    expect(listed && 'found' in listed && listed.found.length).toBe(101);
    expect(await port?.look(inquiry.id)).toMatchObject({ found: { stage: 'inquiry', isTaken: false } });
    expect(await port?.look(old.id)).toMatchObject({
      found: {
        payments: [shopifyReferenceOf(id)],
        stage: 'chargeback',
        status: 'open',
        isTaken: true,
        reasonCode: '10.4',
      },
    });
    expect(await port?.look('1')).toEqual({ found: null });
  });

  it('takes a webhook only with the right signature, and keeps long identifiers whole', async () => {
    const webhook = shopify.webhook('disputes/update', '{"id":285332461850802051,"order_id":1}');
    expect(await shopifyWebhookOf(account, webhook)).toMatchObject([
      { dispute: shopifyReferenceOf('285332461850802051') },
    ]);
    const forged = { ...webhook, rawBody: webhook.rawBody.replace('051', '052') };
    expect(await shopifyWebhookOf(account, forged)).toBeUndefined();
    const failed = '{"id":7,"kind":"refund","status":"failure","parent_id":285332461850802053}';
    expect(await shopifyWebhookOf(account, shopify.webhook('order_transactions/create', failed))).toMatchObject([
      { refundFailed: shopifyReferenceOf('285332461850802053') },
    ]);
  });

  it.each(['evil.example', 'my-shop.myshopify.com.evil.example', 'my-shop.myshopify.com/x', 'a@b.myshopify.com', ''])(
    'refuses %s as the address of a shop',
    (shop) => {
      const credentials = { ...withSecret(shopify.clientSecret), shop };
      const problems = problemsOfFields(declaration.connectionKeys, credentials, { allowLoopbackHttp: true });
      expect(problems).toEqual([expect.stringMatching(/^shop: must be the address/)]);
    },
  );
});
