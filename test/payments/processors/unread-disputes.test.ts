import { describe, expect, it } from 'vitest';
import { checkoutComDisputes } from '#payments/processors/checkout-com/checkout-com-disputes-client.ts';
import { payPalDisputes } from '#payments/processors/paypal/paypal-disputes-client.ts';
import { listShopifyDisputes } from '#payments/processors/shopify/shopify-disputes-client.ts';

/** Disputes of a processor's list that cannot be read are named, so that they are asked for again. */

const from = '2026-05-01T00:00:00.000Z';
const reply = (body: unknown) => async () => ({ status: 200, body }) as never;
const node = { id: 'gid://shopify/ShopifyPaymentsDispute/7', type: 'CHARGEBACK', status: 'NEEDS_RESPONSE' };

describe('a listed dispute in an unknown form', () => {
  it.each([
    [
      'PayPal',
      () => payPalDisputes(reply({ items: [{ dispute_id: 'PP-D-7', status: 'OPEN' }] })).since?.(from),
      'PP-D-7',
    ],
    [
      'Checkout.com',
      () => checkoutComDisputes(reply({ data: [{ id: 'dsp_7', status: 'won', received_on: 'never' }] })).since?.(from),
      'dsp_7',
    ],
    [
      'Shopify',
      () => listShopifyDisputes(reply({ disputes: { nodes: [node], pageInfo: { hasNextPage: false } } }), from),
      'sh_7',
    ],
  ])('of %s is named by its reference', async (_, list, reference) => {
    expect(await list()).toMatchObject({
      found: [],
      unread: [{ reference, words: expect.stringContaining(reference) }],
    });
  });
});
