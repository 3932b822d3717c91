import * as v from 'valibot';
import {
  AdyenAccessKeys,
  BaseUrl,
  type CredentialRules,
  Environment,
  lastFour,
  printable,
  problemsOfFields,
  Secret,
} from '../processors/credentials.ts';
import type { GatewayKind } from './gateway.ts';

/**
 * What a connection has to have of each processor. Least rights: a restricted key at Stripe, a key of NMI for the Query and the
 * Payment API, a limited API user at Braintree; docs/connections.md names them. Webhook secrets are for those who have events sent.
 */
const WebhookSecret = v.optional(Secret('must be text without blanks', printable));

const schemas = {
  stripe: v.object({
    secret_key: Secret(
      'must be a restricted or secret key of Stripe, rk_… or sk_…',
      /^(?:sk|rk)_(?:test|live)_\w{4,}$/,
    ),
    webhook_secret: WebhookSecret,
    base_url: BaseUrl,
  }),
  nmi: v.object({
    security_key: Secret('must be a security key of NMI', /^\w{16,64}$/),
    webhook_key: WebhookSecret,
    environment: Environment,
    base_url: BaseUrl,
  }),
  braintree: v.object({
    public_key: Secret('must be the public key of an API user of Braintree', /^\w{8,80}$/),
    private_key: Secret('must be the private key of an API user of Braintree', /^\w{8,80}$/),
    environment: Environment,
    base_url: BaseUrl,
  }),
  adyen: AdyenAccessKeys,
  sandbox: v.object({}),
} as const satisfies Record<GatewayKind, v.GenericSchema>;

export type ConnectionKeys<K extends GatewayKind> = v.InferOutput<(typeof schemas)[K]>;

/** What is wrong, field by field, in words that never repeat what was sent; empty if nothing is. */
export const problemsOfKeys = (
  kind: GatewayKind,
  credentials: Readonly<Record<string, unknown>>,
  rules: CredentialRules,
): string[] => problemsOfFields(schemas[kind], credentials, rules);

/** The credentials without what nobody asked for. They must have no problems. */
export const readKeys = <K extends GatewayKind>(kind: K, credentials: unknown): ConnectionKeys<K> =>
  v.parse(schemas[kind], credentials);

/** What may be shown of credentials: enough to know whose they are. */
export const shownKeys = (kind: GatewayKind, keys: Readonly<Record<string, unknown>>): Record<string, string> => {
  const environment = String(keys['environment'] ?? '');
  switch (kind) {
    case 'sandbox':
      return {};
    case 'stripe': {
      const key = String(keys['secret_key']);
      return { secret_key: lastFour(key), environment: key.split('_')[1] === 'live' ? 'live' : 'test' };
    }
    case 'adyen':
      return { api_key: lastFour(keys['api_key']), merchant_account: String(keys['merchant_account']), environment };
    case 'nmi':
      return { security_key: lastFour(keys['security_key']), environment };
    case 'braintree':
      return { public_key: String(keys['public_key']), environment };
  }
};
