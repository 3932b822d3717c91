import * as v from 'valibot';
import { BaseUrl, lastFour, OptionalSecret, Secret } from '../credential-fields.ts';
import { defineProcessor } from '../declaration.ts';
import { stripeCurrency } from './stripe-currencies.ts';

const key = /^(?:sk|rk)_(?:test|live)_\w{4,}$/;

export const stripe = defineProcessor({
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
  shown: ({ secret_key }) => ({
    secret_key: lastFour(secret_key),
    environment: String(secret_key).split('_')[1] === 'live' ? 'live' : 'test',
  }),
  currency: stripeCurrency,
});
