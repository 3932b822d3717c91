import { expect } from 'vitest';
import { newTimedId } from '#core/kernel/ids.ts';
import { braintreeGateway } from '#payments/processors/braintree/braintree-gateway-client.ts';
import { nmiGateway } from '#payments/processors/nmi/nmi-gateway-client.ts';
import { stripeGateway } from '#payments/processors/stripe/stripe-gateway-client.ts';
import { type FakeBraintree, startFakeBraintree } from '#test/support/fake-braintree.ts';
import { type FakeNmi, startFakeNmi } from '#test/support/fake-nmi.ts';
import { type FakeStripe, startFakeStripe } from '#test/support/fake-stripe.ts';
import { describeGateway } from './contract.ts';

let stripe: FakeStripe;
describeGateway('stripe', {
  start: async () => {
    stripe = await startFakeStripe();
    const at = (secret_key: string) => stripeGateway({ secret_key, base_url: stripe.url });
    const { elsewhere } = stripe;
    const of = (reference: string) => elsewhere.charges.get(reference) ?? expect.fail('no charge');
    return {
      gateway: at(stripe.secretKey),
      gatewayWith: (keys) =>
        at(keys === 'wrong' ? 'rk_test_another' : stripe.restrictedKey('charges_read', 'disputes_read')),
      charge: ({ minor, number = '', at: made, isCaptured = true }) =>
        elsewhere.add({ minor, number, ...(made && { at: made }), ...(!isCaptured && { amountCaptured: 0 }) }).id,
      refundByHand: (reference, minor) => {
        of(reference).amountRefunded += minor;
      },
      chargeBack: (reference) => {
        const charge = of(reference);
        charge.disputed = true;
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
describeGateway('nmi', {
  start: async () => {
    nmi = await startFakeNmi();
    const at = (security_key: string) => nmiGateway({ security_key, environment: 'test', base_url: nmi.url });
    return {
      gateway: at(nmi.securityKey),
      gatewayWith: (keys) => at(keys === 'wrong' ? 'anotherKeyThatNobodyHas' : nmi.queryOnlyKey),
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
describeGateway('braintree', {
  start: async () => {
    braintree = await startFakeBraintree();
    const at = (public_key: string) =>
      braintreeGateway({
        ...{ public_key, private_key: braintree.privateKey, environment: 'test' },
        base_url: braintree.url,
      });
    return {
      gateway: at(braintree.publicKey),
      gatewayWith: (keys) => at(keys === 'wrong' ? 'anotherpublickey' : braintree.readOnlyKey),
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
