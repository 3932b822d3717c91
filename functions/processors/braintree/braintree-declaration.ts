import * as v from 'valibot';
import { BaseUrl, Environment, Secret } from '../credential-fields.ts';
import { defineProcessor } from '../declaration.ts';
import { braintreeCurrency } from './braintree-currencies.ts';

const currencyWords = 'must name the merchant account of each currency, such as {"USD": "shop_usd"}';
const MerchantAccounts = v.pipe(
  v.record(
    v.pipe(v.string(currencyWords), v.regex(/^[A-Z]{3}$/, currencyWords)),
    v.pipe(v.string(currencyWords), v.regex(/^[\w-]{1,80}$/, currencyWords)),
    currencyWords,
  ),
  v.check((accounts) => Object.keys(accounts).length > 0, currencyWords),
);
const PublicKey = Secret('must be the public key of an API user of Braintree', /^\w{8,80}$/);
const PrivateKey = Secret('must be the private key of an API user of Braintree', /^\w{8,80}$/);

export const braintree = defineProcessor({
  credentials: v.object({
    merchant_id: Secret('must be the merchant ID of Braintree', /^\w{8,40}$/),
    public_key: PublicKey,
    private_key: PrivateKey,
    merchant_accounts: MerchantAccounts,
    environment: Environment,
    base_url: BaseUrl,
  }),
  connectionKeys: v.object({
    public_key: PublicKey,
    private_key: PrivateKey,
    environment: Environment,
    base_url: BaseUrl,
  }),
  identity: ({ environment, merchant_id }) => [environment, merchant_id],
  // A connection's do not name the merchant.
  shown: ({ public_key, merchant_id, environment }) => ({ public_key, merchant_id, environment }),
  currency: braintreeCurrency,
});
