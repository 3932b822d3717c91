import * as v from 'valibot';
import { BaseUrl, lastFour, printable, Secret } from '../credentials/credential-fields.ts';
import { defineProcessor, type ProcessorWords } from '../ports/declaration.ts';

const HmacKey = Secret('must be the HMAC key of the webhook, hexadecimal', /^(?:[0-9a-fA-F]{2}){16,}$/);
const entries = {
  api_key: Secret('must be an API key of Adyen', printable),
  merchant_account: Secret('must be the name of a merchant account at Adyen', /^[\w-]{1,80}$/),
  environment: v.optional(v.picklist(['test', 'live'], 'must be test or live')),
  live_url_prefix: v.optional(
    Secret('must be the prefix of your live endpoints, such as 1797a841fbb37ca7-AdyenDemo', /^[\w-]{1,100}$/),
  ),
  base_url: BaseUrl,
};
type Place = { environment?: 'test' | 'live' | undefined; live_url_prefix?: string | undefined };
const namesPrefix = ({ environment, live_url_prefix: prefix }: Place) => environment === 'test' || prefix !== undefined;
const prefixWords = 'must be given, unless environment is test';
const withEnvironment = <C extends Place>(credentials: C) => ({
  ...credentials,
  environment: credentials.environment ?? ('live' as const),
});

export const adyen = defineProcessor({
  name: 'adyen',
  place: 3,
  takesPayments: true,
  sendsWebhooks: true,
  tellsOfLapses: true,
  capturesLater: true,
  paysOut: false,
  namesAccount: true,
  connection: { place: 4, listsDisputes: false, isAtMerchant: false },
  credentials: v.pipe(
    v.object({ ...entries, hmac_key: HmacKey }),
    v.forward(v.partialCheck([['environment'], ['live_url_prefix']], namesPrefix, prefixWords), ['live_url_prefix']),
    v.transform(withEnvironment),
  ),
  connectionKeys: v.pipe(
    v.object({ ...entries, hmac_key: v.optional(HmacKey) }),
    v.forward(v.partialCheck([['environment'], ['live_url_prefix']], namesPrefix, prefixWords), ['live_url_prefix']),
    v.transform(withEnvironment),
  ),
  identity: ({ environment, live_url_prefix, merchant_account }) => [environment, live_url_prefix, merchant_account],
  toDto: ({ api_key, merchant_account, environment }) => ({
    api_key: lastFour(api_key),
    merchant_account,
    environment,
  }),
});

export const adyenWords = {
  title: 'Adyen',
  fields: {
    api_key: { label: 'API key' },
    merchant_account: { label: 'Merchant account', isOpen: true },
    hmac_key: { label: 'HMAC key' },
    live_url_prefix: { label: 'Prefix of the live URL', isOpen: true },
    environment: { label: 'Environment, where it is “test”', isOpen: true },
  },
  credentials: '`api_key`, `merchant_account`, `hmac_key`, and `live_url_prefix` or `environment: test`',
  connectionKeys: '`api_key`, `merchant_account`, and `live_url_prefix` or `environment: test`',
  webhook: {
    key: '`hmac_key`',
    type: 'application/json',
    body: 'notifications of Adyen, each signed in its `hmacSignature`',
  },
} as const satisfies ProcessorWords;
