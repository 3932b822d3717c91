import * as v from 'valibot';
import { BaseUrl, lastFour, Secret } from '../credentials/credential-fields.ts';
import { defineProcessor, type ProcessorWords } from '../ports/declaration.ts';

/** https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/client-credentials-grant */
export const shopify = defineProcessor({
  name: 'shopify',
  place: 9,
  takesPayments: false,
  sendsWebhooks: true,
  tellsOfLapses: true,
  capturesLater: false,
  paysOut: false,
  namesAccount: true,
  connection: { place: 9, listsDisputes: true, isAtMerchant: false },
  connectionKeys: v.object({
    shop: Secret(
      'must be the address of the shop, such as my-shop.myshopify.com',
      /^[a-z\d][a-z\d-]{0,60}\.myshopify\.com$/,
    ),
    client_id: Secret('must be the client ID of an app in the Dev Dashboard of Shopify', /^\w{16,64}$/),
    client_secret: Secret('must be the client secret of an app in the Dev Dashboard of Shopify', /^\w{16,80}$/),
    base_url: BaseUrl,
  }),
  identity: ({ shop }) => [shop],
  toDto: ({ shop, client_id }) => ({ shop, client_id: lastFour(client_id) }),
});

export const shopifyWords = {
  title: 'Shopify',
  fields: {},
  credentials: null,
  connectionKeys: '`shop` (`….myshopify.com`), `client_id`, `client_secret`',
  webhook: {
    key: '`client_secret`',
    type: 'application/json',
    header: { name: 'X-Shopify-Hmac-Sha256', description: 'the base64 HMAC-SHA256 of the body.' },
  },
} as const satisfies ProcessorWords;
