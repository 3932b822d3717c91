import * as v from 'valibot';
import { BaseUrl, lastFour, OptionalSecret, Secret } from '../credentials/credential-fields.ts';
import { defineProcessor, type ProcessorWords } from '../ports/declaration.ts';

/** https://www.checkout.com/docs/developer-resources/api/manage-api-keys/api-keys.md and …/api/api-endpoints */
export const checkoutCom = defineProcessor({
  name: 'checkout_com',
  place: 8,
  takesPayments: false,
  sendsWebhooks: true,
  tellsOfLapses: true,
  capturesLater: false,
  paysOut: false,
  namesAccount: true,
  connection: { place: 8, listsDisputes: true, isAtMerchant: false },
  connectionKeys: v.object({
    secret_key: Secret('must be a secret key of Checkout.com, sk_…', /^sk_(?:sbox_)?[a-z2-7]{26}[a-z2-7*#$=]$/),
    prefix: Secret('must be the prefix of your base URL at Checkout.com', /^[a-z\d]{6,20}$/),
    webhook_key: OptionalSecret,
    base_url: BaseUrl,
  }),
  identity: ({ prefix }) => [prefix],
  toDto: ({ secret_key, prefix }) => ({
    ...{ secret_key: lastFour(secret_key), prefix },
    environment: String(secret_key).startsWith('sk_sbox_') ? 'test' : 'live',
  }),
});

export const checkoutComWords = {
  title: 'Checkout.com',
  fields: {},
  credentials: null,
  connectionKeys: '`secret_key`, and `prefix` of your base URL',
  webhook: {
    key: '`webhook_key`',
    type: 'application/json',
    header: { name: 'Cko-Signature', description: 'the hex HMAC-SHA256 of the body.' },
  },
} as const satisfies ProcessorWords;
