import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectBraintree } from '#payments/processors/braintree/braintree-connected-client.ts';
import { connectCheckoutCom } from '#payments/processors/checkout-com/checkout-com-connected-client.ts';
import { connectPayPal } from '#payments/processors/paypal/paypal-connected-client.ts';
import type { ConnectedProcessor } from '#payments/processors/ports/connected-processor.ts';
import { connectShopify } from '#payments/processors/shopify/shopify-connected-client.ts';
import { shopifyNumberOf, shopifyReferenceOf } from '#payments/processors/shopify/shopify-orders.ts';
import { connectStripe } from '#payments/processors/stripe/stripe-connected-client.ts';
import { startFakeBraintree } from '#test/support/fake-braintree.ts';
import { startFakeCheckoutCom } from '#test/support/fake-checkout-com.ts';
import { startFakePayPal } from '#test/support/fake-paypal.ts';
import { startFakeShopify } from '#test/support/fake-shopify.ts';
import { startFakeStripe } from '#test/support/fake-stripe.ts';

/** What disputes do to a charge at a connection: each processor's own states, by the one rule of `charge-state.ts`. */

const number = '4242424242424242';
const minor = 4200;
/** Opens a dispute of a charge in a state, in the processor's words. */
type Account = { connected: ConnectedProcessor; charge(): string; dispute(charge: string, state: string): void };
const accounts: Record<string, Account> = {};
const stops: (() => PromiseLike<void>)[] = [];

beforeAll(async () => {
  const [stripe, braintree, shopify] = [await startFakeStripe(), await startFakeBraintree(), await startFakeShopify()];
  const [payPal, checkout] = [await startFakePayPal(), await startFakeCheckoutCom()];
  stops.push(...[stripe, braintree, shopify, payPal, checkout].map((one) => () => one[Symbol.asyncDispose]()));
  accounts['stripe'] = {
    connected: connectStripe({ secret_key: stripe.secretKey, base_url: stripe.url }),
    charge: () => stripe.elsewhere.add({ minor, number }).id,
    dispute: (id, state) => {
      const charge = stripe.elsewhere.charges.get(id);
      const [status = '', case_type = 'chargeback'] = state.split(' ');
      const { intent = '', amount = 0, currency = '' } = charge ?? {};
      const card = { brand: 'visa', network_reason_code: '10.4', case_type };
      stripe.disputes.open(
        { id: intent, amount, currency, latest_charge: { id } },
        { status, payment_method_details: { type: 'card', card } },
      );
    },
  };
  accounts['braintree'] = {
    connected: connectBraintree({
      ...{ public_key: braintree.publicKey, private_key: braintree.privateKey, environment: 'test' },
      base_url: braintree.url,
    }),
    charge: () => braintree.charge({ minor, number, status: 'SETTLED' }).id,
    dispute: (id, state) => {
      const [status = '', type = 'CHARGEBACK'] = state.split(' ');
      braintree.dispute(id, status, { type });
    },
  };
  accounts['shopify'] = {
    connected: connectShopify({
      ...{ shop: 'my-shop.myshopify.com', client_id: shopify.clientId, client_secret: shopify.clientSecret },
      base_url: shopify.url,
    }),
    charge: () => shopifyReferenceOf(shopify.sell({ minor, number }).id),
    dispute: (id, state) => {
      const [status = '', type = 'CHARGEBACK', initiatedAs = type] = state.split(' ');
      shopify.dispute(shopifyNumberOf(id) ?? '', { status, type, initiatedAs });
    },
  };
  accounts['paypal'] = {
    connected: connectPayPal({
      ...{ client_id: payPal.clientId, client_secret: payPal.clientSecret, webhook_id: '', environment: 'test' },
      base_url: payPal.url,
    }),
    charge: () => payPal.capture({ minor, number }).id,
    dispute: (id, state) => {
      const [stage = '', status = '', outcome = ''] = state.split(' ');
      payPal.dispute(id, { stage, status, ...(outcome && { outcome }) });
    },
  };
  accounts['checkout_com'] = {
    connected: connectCheckoutCom({
      ...{ secret_key: checkout.secretKey, prefix: '12345678', webhook_key: checkout.webhookKey },
      base_url: checkout.url,
    }),
    charge: () => checkout.payment({ minor, number }).id,
    dispute: (id, state) => {
      const [status = '', resolvedReason] = state.split(' ');
      Object.assign(checkout.dispute(id, status), { resolvedReason });
    },
  };
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

const nothing = { isChargedBack: false, isUnclear: false };
const back = { isChargedBack: true };
const byNetwork = { isChargedBack: false, isRefundedByNetwork: true };
const unclear = { isChargedBack: false, isUnclear: true };

describe.each([
  ['stripe', 'warning_needs_response', nothing],
  ['stripe', 'warning_under_review', nothing],
  ['stripe', 'warning_closed', nothing],
  ['stripe', 'won', nothing],
  ['stripe', 'prevented block', nothing],
  ['stripe', 'prevented resolution', byNetwork],
  ['stripe', 'prevented', byNetwork],
  ['stripe', 'needs_response', back],
  ['stripe', 'appeal_under_review', back],
  ['stripe', 'something_new', unclear],
  ['braintree', 'OPEN RETRIEVAL', nothing],
  ['braintree', 'WON', nothing],
  ['braintree', 'OPEN PRE_ARBITRATION', back],
  ['shopify', 'NEEDS_RESPONSE INQUIRY', nothing],
  ['shopify', 'WON', nothing],
  ['shopify', 'CHARGE_REFUNDED', nothing],
  ['shopify', 'NEEDS_RESPONSE CHARGEBACK INQUIRY', back],
  ['shopify', 'ACCEPTED INQUIRY', back],
  ['shopify', 'PREVENTED', byNetwork],
  ['paypal', 'INQUIRY WAITING_FOR_SELLER_RESPONSE', nothing],
  ['paypal', 'CHARGEBACK RESOLVED RESOLVED_SELLER_FAVOUR', nothing],
  ['paypal', 'CHARGEBACK RESOLVED NONE', nothing],
  ['paypal', 'INQUIRY RESOLVED RESOLVED_BUYER_FAVOUR', back],
  ['paypal', 'CHARGEBACK OTHER', unclear],
  ['checkout_com', 'won', nothing],
  ['checkout_com', 'resolved already_refunded', nothing],
  ['checkout_com', 'resolved rapid_dispute_resolution', byNetwork],
  ['checkout_com', 'evidence_required', back],
] as const)('a charge at %s with a dispute that is %s', (processor, state, expected) => {
  it('is read by its dispute', async () => {
    const { connected, charge, dispute } = accounts[processor] ?? expect.fail(`There is no ${processor}`);
    const reference = charge();
    dispute(reference, state);
    const found = await connected.look(reference);
    expect(found).toMatchObject(expected);
    if (expected !== byNetwork) expect(found).not.toHaveProperty('isRefundedByNetwork');
  });
});

it.each(['stripe', 'braintree', 'shopify'])('an inquiry at %s that became a chargeback blocks', async (processor) => {
  const { connected, charge, dispute } = accounts[processor] ?? expect.fail(`There is no ${processor}`);
  const [inquiry, chargeback] = {
    stripe: ['warning_closed', 'needs_response'],
    braintree: ['WON RETRIEVAL', 'OPEN CHARGEBACK'],
    shopify: ['LOST INQUIRY', 'UNDER_REVIEW CHARGEBACK'],
  }[processor] as [string, string];
  const reference = charge();
  dispute(reference, inquiry);
  dispute(reference, chargeback);
  expect(await connected.look(reference)).toMatchObject(back);
});
