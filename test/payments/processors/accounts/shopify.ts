import { shopifyNumberOf, shopifyReferenceOf } from '#payments/processors/shopify/shopify-orders.ts';
import { startFakeShopify } from '#test/support/fake-shopify.ts';
import type { StartStandIn } from '../stand-in.ts';

export const standIn: StartStandIn = async () => {
  const shopify = await startFakeShopify();
  const { clientId: client_id, clientSecret: client_secret, url: base_url } = shopify;
  return {
    credentials: null,
    connectionKeys: { shop: 'my-shop.myshopify.com', client_id, client_secret, base_url },
    dispute: (reference) => [
      shopify.webhook('disputes/create', `{"id":${shopify.dispute(shopifyNumberOf(reference) ?? '').id}}`),
    ],
    charge: () => shopifyReferenceOf(shopify.sell({ minor: 1999 }).id),
    stop: () => shopify[Symbol.asyncDispose](),
  };
};
