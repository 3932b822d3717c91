import * as v from 'valibot';
import { BaseUrl, Environment, Secret } from '../credentials/credential-fields.ts';
import { defineProcessor, type ProcessorWords } from '../ports/declaration.ts';

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
  name: 'braintree',
  place: 5,
  takesPayments: true,
  sendsWebhooks: true,
  tellsOfLapses: false,
  capturesLater: false,
  paysOut: false,
  namesAccount: true,
  connection: { place: 3, listsDisputes: true, isAtMerchant: false },
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
  toDto: ({ public_key, merchant_id, environment }) => ({ public_key, merchant_id, environment }),
});

export const braintreeWords = {
  title: 'Braintree',
  fields: {
    merchant_id: { label: 'Merchant ID', isOpen: true },
    public_key: { label: 'Public key', isOpen: true },
    private_key: { label: 'Private key' },
    merchant_accounts: { label: 'Merchant accounts, as “USD=name, EUR=other”', isOpen: true, isPairs: true },
    environment: { label: 'Environment, where it is “test”', isOpen: true },
  },
  credentials:
    '`merchant_id`, `public_key`, `private_key`, `merchant_accounts` (`{"USD": "…"}`: which one is charged in each currency), and ' +
    'optionally `environment: test`',
  connectionKeys: '`public_key`, `private_key`, and optionally `environment: test`',
  webhook: {
    key: 'the key pair',
    type: 'application/x-www-form-urlencoded',
    body: 'a notification of Braintree: `bt_payload`, signed in `bt_signature`',
  },
} as const satisfies ProcessorWords;
