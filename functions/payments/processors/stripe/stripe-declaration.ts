import * as v from 'valibot';
import { BaseUrl, lastFour, OptionalSecret, Secret } from '../credentials/credential-fields.ts';
import { defineProcessor, type ProcessorWords } from '../ports/declaration.ts';

const key = /^(?:sk|rk)_(?:test|live)_\w{4,}$/;

export const stripe = defineProcessor({
  name: 'stripe',
  place: 2,
  takesPayments: true,
  sendsWebhooks: true,
  tellsOfLapses: true,
  capturesLater: false,
  paysOut: false,
  namesAccount: false,
  connection: { place: 1, listsDisputes: true, isAtMerchant: false },
  credentials: v.object({
    secret_key: Secret("must be a secret or restricted key of Stripe's, sk_… or rk_…", key),
    webhook_secret: Secret("must be the signing secret of Stripe's webhook endpoint, whsec_…", /^whsec_[\w+/=]{4,}$/),
    base_url: BaseUrl,
  }),
  connectionKeys: v.object({
    secret_key: Secret('must be a restricted or secret key of Stripe, rk_… or sk_…', key),
    webhook_secret: OptionalSecret,
    base_url: BaseUrl,
  }),
  identity: ({ secret_key }) => [secret_key],
  toDto: ({ secret_key }) => ({
    secret_key: lastFour(secret_key),
    environment: String(secret_key).split('_')[1] === 'live' ? 'live' : 'test',
  }),
});

export const stripeWords = {
  title: 'Stripe',
  fields: { secret_key: { label: 'Secret key' }, webhook_secret: { label: 'Webhook secret' } },
  credentials: '`secret_key`, `webhook_secret`',
  connectionKeys: '`secret_key`, preferably a restricted one',
  webhook: {
    key: '`webhook_secret`',
    type: 'application/json',
    header: {
      name: 'Stripe-Signature',
      description: '`t=` seconds since 1970 `,v1=` the hex HMAC-SHA256 of `seconds.body`.',
    },
  },
} as const satisfies ProcessorWords;
