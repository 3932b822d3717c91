import * as v from 'valibot';
import type { ProcessorName } from './processor.ts';

/** What a site has to have of each processor, and what may be shown of it. */

export const Secret = (words: string, pattern: RegExp) =>
  v.pipe(v.string(words), v.maxLength(500, words), v.regex(pattern, words));
export const printable = /^[\x21-\x7e]+$/;
export const BaseUrl = v.optional(v.string('must be text'));

const StripeCredentials = v.object({
  secret_key: Secret(
    "must be a secret or restricted key of Stripe's, sk_… or rk_…",
    /^(?:sk|rk)_(?:test|live)_\w{4,}$/,
  ),
  webhook_secret: Secret("must be the signing secret of Stripe's webhook endpoint, whsec_…", /^whsec_[\w+/=]{4,}$/),
  base_url: BaseUrl,
});

const HmacKey = Secret('must be the HMAC key of the webhook, hexadecimal', /^(?:[0-9a-fA-F]{2}){16,}$/);
const adyenEntries = {
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

const AdyenCredentials = v.pipe(
  v.object({ ...adyenEntries, hmac_key: HmacKey }),
  v.forward(v.partialCheck([['environment'], ['live_url_prefix']], namesPrefix, prefixWords), ['live_url_prefix']),
  v.transform(withEnvironment),
);

/** Of those who need not have webhooks sent. */
export const AdyenAccessKeys = v.pipe(
  v.object({ ...adyenEntries, hmac_key: v.optional(HmacKey) }),
  v.forward(v.partialCheck([['environment'], ['live_url_prefix']], namesPrefix, prefixWords), ['live_url_prefix']),
  v.transform(withEnvironment),
);

export const Environment = v.optional(v.picklist(['test', 'live'], 'must be test or live'), 'live');

const NmiCredentials = v.object({
  security_key: Secret('must be a security key of NMI', /^\w{16,64}$/),
  webhook_key: Secret('must be the signing key that the webhooks page of NMI shows', printable),
  environment: Environment,
  base_url: BaseUrl,
});

const currencyWords = 'must name the merchant account of each currency, such as {"USD": "shop_usd"}';
const MerchantAccounts = v.pipe(
  v.record(
    v.pipe(v.string(currencyWords), v.regex(/^[A-Z]{3}$/, currencyWords)),
    v.pipe(v.string(currencyWords), v.regex(/^[\w-]{1,80}$/, currencyWords)),
    currencyWords,
  ),
  v.check((accounts) => Object.keys(accounts).length > 0, currencyWords),
);
const BraintreeCredentials = v.object({
  merchant_id: Secret('must be the merchant ID of Braintree', /^\w{8,40}$/),
  public_key: Secret('must be the public key of an API user of Braintree', /^\w{8,80}$/),
  private_key: Secret('must be the private key of an API user of Braintree', /^\w{8,80}$/),
  merchant_accounts: MerchantAccounts,
  environment: Environment,
  base_url: BaseUrl,
});

const schemas = {
  sandbox: v.object({}),
  stripe: StripeCredentials,
  adyen: AdyenCredentials,
  nmi: NmiCredentials,
  braintree: BraintreeCredentials,
} as const;

export type CredentialRules = { allowLoopbackHttp: boolean };

/** Only a stand-in on this machine has another address than the processor's own: whoever names one gets the cards. */
const baseUrlProblems = (credentials: unknown, { allowLoopbackHttp }: CredentialRules): string[] => {
  const { base_url: text } = v.parse(v.object({ base_url: v.optional(v.unknown()) }), credentials);
  if (text === undefined) return [];
  const isLocal = /^https?:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?$/.test(String(text));
  return allowLoopbackHttp && isLocal
    ? []
    : ['base_url: is only for local tests, and must then be an origin on this machine'];
};

/** What is wrong, field by field, in words that never repeat what was sent; empty if nothing is. */
export const problemsOfFields = (
  schema: v.GenericSchema,
  credentials: Readonly<Record<string, unknown>>,
  rules: CredentialRules,
): string[] => {
  const result = v.safeParse(schema, credentials, { abortPipeEarly: true });
  const issues = (result.issues ?? []).map((issue) => {
    const isMissing = issue.received === 'undefined';
    return `${v.getDotPath(issue) ?? 'credentials'}: ${isMissing ? 'is required' : issue.message}`;
  });
  return [...new Set(issues), ...baseUrlProblems(credentials, rules)];
};

export const problemsOfCredentials = (
  processor: ProcessorName,
  credentials: Readonly<Record<string, unknown>>,
  rules: CredentialRules,
): string[] => problemsOfFields(schemas[processor], credentials, rules);

/** The credentials without what nobody asked for. They must have no problems. */
export const readCredentials = <P extends ProcessorName>(
  processor: P,
  credentials: unknown,
): v.InferOutput<(typeof schemas)[P]> => v.parse(schemas[processor], credentials);

type Credentials = Readonly<Record<string, unknown>>;
export const lastFour = (secret: unknown): string => `…${String(secret).slice(-4)}`;

/** By what an account is known, and what may be shown of its credentials: enough to know whose they are. */
const identities: Readonly<
  Record<
    ProcessorName,
    { parts: (own: Credentials) => unknown[]; shown: (own: Credentials) => Record<string, unknown> }
  >
> = {
  sandbox: { parts: () => [], shown: () => ({}) },
  stripe: {
    parts: ({ secret_key }) => [secret_key],
    shown: ({ secret_key }) => ({
      secret_key: lastFour(secret_key),
      environment: String(secret_key).split('_')[1] === 'live' ? 'live' : 'test',
    }),
  },
  adyen: {
    parts: ({ environment, live_url_prefix, merchant_account }) => [environment, live_url_prefix, merchant_account],
    shown: ({ api_key, merchant_account, environment }) => ({
      api_key: lastFour(api_key),
      merchant_account,
      environment,
    }),
  },
  nmi: {
    parts: ({ security_key }) => [security_key],
    shown: ({ security_key, environment }) => ({ security_key: lastFour(security_key), environment }),
  },
  braintree: {
    parts: ({ environment, merchant_id }) => [environment, merchant_id],
    shown: ({ public_key, merchant_id, environment }) => ({ public_key, merchant_id, environment }),
  },
};

/**
 * Which account credentials are of. Adyen's and Braintree's name it; a key of Stripe's or NMI's does not, so another key counts as
 * another account unless the route's id is given with it.
 */
export const accountOf = (processor: ProcessorName, credentials: Credentials): string =>
  JSON.stringify([processor, ...identities[processor].parts(credentials)]);

/** Whether credentials say themselves which account they are of. */
export const namesAccount = (processor: ProcessorName): boolean => processor === 'adyen' || processor === 'braintree';

/** What may be shown of credentials. */
export const shownOf = (processor: ProcessorName, credentials: Credentials): Record<string, string> =>
  Object.fromEntries(
    Object.entries(identities[processor].shown(credentials)).map(([name, value]) => [name, String(value)]),
  );
