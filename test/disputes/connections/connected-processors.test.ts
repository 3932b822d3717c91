import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newTimedId } from '#core/kernel/ids.ts';
import { connectBraintree } from '#payments/processors/braintree/braintree-connected-client.ts';
import { connectHttp } from '#payments/processors/http/http-connected-client.ts';
import { connectNmi } from '#payments/processors/nmi/nmi-connected-client.ts';
import { connectStripe } from '#payments/processors/stripe/stripe-connected-client.ts';
import { type FakeBraintree, startFakeBraintree } from '#test/support/fake-braintree.ts';
import {
  type FakeMerchantService,
  refundsFailAtService,
  startFakeMerchantService,
} from '#test/support/fake-merchant-service.ts';
import { type FakeNmi, startFakeNmi } from '#test/support/fake-nmi.ts';
import { startFakeServer } from '#test/support/fake-processor.ts';
import { type FakeStripe, startFakeStripe } from '#test/support/fake-stripe.ts';
import { aDispute, aRefund, describeConnectedProcessor } from './contract.ts';

let stripe: FakeStripe;
describeConnectedProcessor('stripe', {
  start: async () => {
    stripe = await startFakeStripe();
    const at = (secret_key: string) => connectStripe({ secret_key, base_url: stripe.url });
    const { elsewhere } = stripe;
    const of = (reference: string) => elsewhere.charges.get(reference) ?? expect.fail('no charge');
    return {
      connected: at(stripe.secretKey),
      connectedWith: (keys) =>
        at(keys === 'wrong' ? 'rk_test_another' : stripe.restrictedKey('charges_read', 'disputes_read')),
      charge: ({ minor, number = '', at: made, isCaptured = true }) =>
        elsewhere.add({ minor, number, ...(made && { at: made }), ...(!isCaptured && { amountCaptured: 0 }) }).id,
      refundByHand: (reference, minor) => {
        of(reference).amountRefunded += minor;
      },
      chargeBack: (reference) => {
        const charge = of(reference);
        const { intent: id, amount, currency } = charge;
        stripe.disputes.open({ id, amount, currency, latest_charge: { id: reference } });
      },
      refunds: () => elsewhere.done,
      lose: (how) => stripe.fail(how, /POST \/v1\/refunds/),
      breakQuestions: (status) => stripe.fail(status, /GET/),
      subscribed: (wish) => {
        elsewhere.subscriptions.add('sub_1');
        const { id } = elsewhere.add({ minor: wish.minor, number: wish.number ?? '', subscription: 'sub_1' });
        return { reference: id, isEnded: () => !elsewhere.subscriptions.has('sub_1') };
      },
    };
  },
  stop: () => stripe[Symbol.asyncDispose](),
  missing: ['Refunds: write', 'Subscriptions: write', 'Invoices: read'],
  refundsFail: '4000000000005126',
  beforeSettlement: 'parts',
});

let nmi: FakeNmi;
describeConnectedProcessor('nmi', {
  start: async () => {
    nmi = await startFakeNmi();
    const at = (security_key: string) => connectNmi({ security_key, environment: 'test', base_url: nmi.url });
    return {
      connected: at(nmi.securityKey),
      connectedWith: (keys) => at(keys === 'wrong' ? 'anotherKeyThatNobodyHas' : nmi.queryOnlyKey),
      charge: ({ minor, number = '', at: made, isSettled = true, isCaptured = true }) =>
        nmi.charge({
          ...{ minor, number, orderId: `shop-${newTimedId()}` },
          ...(made && { at: made }),
          ...(isCaptured ? { condition: isSettled ? 'complete' : 'pendingsettlement' } : { capture: false }),
        }).id,
      refundByHand: (reference, minor) => nmi.refundByHand(reference, minor),
      chargeBack: (reference) => nmi.chargeBack(reference, 1),
      refunds: () => nmi.performed.refund,
      lose: (how) => nmi.fail(how, /transact\.php/, 1),
      breakQuestions: (status) => nmi.fail(status, /query\.php/),
      subscribed: (wish) => {
        nmi.subscriptions.add('7000001');
        const { id } = nmi.charge({ minor: wish.minor, number: wish.number ?? '', subscriptionId: '7000001' });
        return { reference: id, isEnded: () => !nmi.subscriptions.has('7000001') };
      },
    };
  },
  stop: () => nmi[Symbol.asyncDispose](),
  missing: ['Payment API: void and refund'],
  refundsFail: '4000000000005126',
  beforeSettlement: 'parts',
});

let braintree: FakeBraintree;
describeConnectedProcessor('braintree', {
  start: async () => {
    braintree = await startFakeBraintree();
    const at = (public_key: string) =>
      connectBraintree({
        ...{ public_key, private_key: braintree.privateKey, environment: 'test' },
        base_url: braintree.url,
      });
    return {
      connected: at(braintree.publicKey),
      connectedWith: (keys) => at(keys === 'wrong' ? 'anotherpublickey' : braintree.readOnlyKey),
      charge: ({ minor, number = '', at: made, isSettled = true, isCaptured = true }) =>
        braintree.charge({
          ...{ minor, number, capture: isCaptured },
          ...(made && { createdAt: made }),
          ...(isCaptured && isSettled && { status: 'SETTLED' }),
        }).id,
      refundByHand: (reference, minor) => braintree.refundByHand(reference, minor),
      chargeBack: (reference) => braintree.dispute(reference, 'OPEN'),
      refunds: () => braintree.performed.refund,
      lose: (how) => braintree.fail(how, /(?:Refund|Reverse)Transaction/, 1),
      breakQuestions: (status) => braintree.fail(status, /(?:IdFromLegacyId|Transactions)$/),
    };
  },
  stop: () => braintree[Symbol.asyncDispose](),
  missing: ['Void and Refund Transactions'],
  refundsFail: '4000000000005126',
  beforeSettlement: 'whole',
});

let service: FakeMerchantService;
beforeAll(() => {
  process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
});
afterAll(() => {
  delete process.env['ALLOW_LOOPBACK_HTTP'];
});
describeConnectedProcessor('http', {
  start: async () => {
    service = await startFakeMerchantService();
    const at = (secret: string) => connectHttp({ base_url: service.url, secret });
    const of = (reference: string) => service.charges.get(reference) ?? expect.fail('no charge');
    return {
      connected: at(service.secret),
      connectedWith: (keys) =>
        at(keys === 'wrong' ? `whsec_${Buffer.alloc(32).toString('base64')}` : service.searchOnlySecret),
      charge: ({ minor, number = '', at: made, isCaptured = true }) =>
        service.charge({ minor, number, ...(made && { at: made }), ...(!isCaptured && { captured: 0 }) }).reference,
      refundByHand: (reference, minor) => {
        of(reference).refunded += minor;
      },
      chargeBack: (reference) => {
        of(reference).isChargedBack = true;
      },
      refunds: () => service.refunds.size,
      lose: (how) => service.fail(how, /\/refund$/, 1),
      breakQuestions: (status) => service.fail(status, /\/(?:search|charges|refund-state)$/, 1),
      subscribed: ({ minor, number = '' }) => {
        service.subscriptions.add('sub_1');
        const { reference } = service.charge({ minor, number, subscription: 'sub_1' });
        return { reference, isEnded: () => !service.subscriptions.has('sub_1') };
      },
    };
  },
  stop: () => service[Symbol.asyncDispose](),
  missing: ['refund'],
  refundsFail: refundsFailAtService,
  beforeSettlement: 'parts',
});

describe('http: invalid answers', () => {
  const keys = () => ({ base_url: `${service.url}`, secret: service.secret });
  it.each([
    ['a redirect', 302],
    ['a conflict', 409],
    ['a limit', 429],
    ['an internal error', 500],
  ])('leaves a refund unknown after %s', async (_, status) => {
    service = await startFakeMerchantService();
    const { reference } = service.charge({ minor: 1000 });
    service.fail(status, /\/refund$/);
    expect(await connectHttp(keys()).refund(aRefund(reference, 1000n))).toMatchObject({ outcome: 'UNKNOWN' });
    await service[Symbol.asyncDispose]();
  });

  it.each(['yesterday', '2026-05-02T10:00:00+99:99'])(
    'treats an unreadable refund answer as unknown, and finds no charge that was made %s',
    async (date) => {
      const charge = { reference: 'ch_1', amount: '10.00', currency: 'USD', date };
      const server = await startFakeServer({
        answer: ({ path }) => ({
          status: 200,
          body: path === '/search' ? { charges: [charge] } : { status: 'done' },
        }),
        failure: () => ({}),
      });
      const connected = connectHttp({ base_url: server.url, secret: `whsec_${Buffer.alloc(32).toString('base64')}` });
      expect(await connected.refund(aRefund('ch_1', 1000n))).toMatchObject({ outcome: 'UNKNOWN' });
      expect(await connected.find(aDispute())).toMatchObject({
        ...{ candidates: [], isWhole: false },
        unread: expect.stringContaining('charge ch_1: date'),
      });
      expect(await connected.look('ch_1')).toMatchObject({ problem: 'unavailable' });
      await server[Symbol.asyncDispose]();
    },
  );

  it.each([
    ['unreadable', { status: 200, body: { charges: {} } }, 'charges must be a list'],
    ['unreadable', { status: 200, body: '<br>Deprecated' }, 'begins with HTML or a notice'],
    ['unreadable', { status: 200, body: '<!doctype html><html></html>' }, 'begins with HTML or a notice'],
    [
      'unreadable',
      { status: 200, body: '\ufeff\nWarning: Undefined array key{"charges":[]}' },
      'begins with HTML or a notice',
    ],
    ['unreadable', { status: 200, body: '{"charges":[' }, 'it is not JSON'],
    ['unreadable', { status: 200, body: '' }, 'it is empty'],
    ['refused', { status: 503, body: {} }, 'refused the call (status 503)'],
    ['too long', { status: 200, body: { charges: [], rest: 'x'.repeat(17_000) } }, 'longer than'],
  ])('tells in the test of a connection that an answer was %s', async (_, reply, words) => {
    await using server = await startFakeServer({ answer: () => reply, failure: () => ({}) });
    const connected = connectHttp({ base_url: server.url, secret: `whsec_${Buffer.alloc(32).toString('base64')}` });
    expect(await connected.check()).toMatchObject({ isWorking: false, detail: expect.stringContaining(words) });
  });

  it('reports a cursor that looks like a card number, which could not be stored', async () => {
    const answer = () => ({ status: 200, body: { charges: [], next_cursor: 'page-4111111111111111' } });
    await using server = await startFakeServer({ answer, failure: () => ({}) });
    const connected = connectHttp({ base_url: server.url, secret: `whsec_${Buffer.alloc(32).toString('base64')}` });
    const span = { from: '2026-05-01T00:00:00.000Z', to: '2026-05-08T00:00:00.000Z' };
    expect(await connected.list?.(span, null)).toMatchObject({
      problem: 'unavailable',
      detail: expect.stringContaining('next_cursor'),
    });
  });

  it('never calls an address that is not public', async () => {
    const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
    const connected = connectHttp({ base_url: 'https://169.254.169.254/latest', secret });
    expect(await connected.refund(aRefund('ch_1', 1000n))).toMatchObject({
      ...{ outcome: 'EXC', code: 'processor_unavailable' },
    });
  });
});
