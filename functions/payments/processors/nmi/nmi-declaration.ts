import * as v from 'valibot';
import { BaseUrl, Environment, lastFour, OptionalSecret, printable, Secret } from '../credentials/credential-fields.ts';
import { defineProcessor, type ProcessorWords } from '../ports/declaration.ts';

const SecurityKey = Secret('must be a security key of NMI', /^\w{16,64}$/);

export const nmi = defineProcessor({
  name: 'nmi',
  place: 4,
  takesPayments: true,
  sendsWebhooks: true,
  tellsOfLapses: false,
  capturesLater: false,
  paysOut: false,
  namesAccount: false,
  connection: { place: 2, listsDisputes: true, isAtMerchant: false },
  credentials: v.object({
    security_key: SecurityKey,
    webhook_key: Secret('must be the signing key that the webhooks page of NMI shows', printable),
    environment: Environment,
    base_url: BaseUrl,
  }),
  connectionKeys: v.object({
    security_key: SecurityKey,
    webhook_key: OptionalSecret,
    environment: Environment,
    base_url: BaseUrl,
  }),
  identity: ({ security_key }) => [security_key],
  toDto: ({ security_key, environment }) => ({ security_key: lastFour(security_key), environment }),
});

export const nmiWords = {
  title: 'NMI',
  fields: {
    security_key: { label: 'Security key' },
    webhook_key: { label: 'Webhook key' },
    environment: { label: 'Environment, where it is “test”', isOpen: true },
  },
  credentials: '`security_key`, `webhook_key`, and optionally `environment: test`',
  connectionKeys: '`security_key`, and optionally `environment: test`',
  webhook: {
    key: '`webhook_key`',
    type: 'application/json',
    header: { name: 'Webhook-Signature', description: '`t=` a nonce `,s=` the hex HMAC-SHA256 of `nonce.body`.' },
  },
} as const satisfies ProcessorWords;
