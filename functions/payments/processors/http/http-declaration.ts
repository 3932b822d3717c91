import * as v from 'valibot';
import { AnyText } from '#core/kernel/schema/text.ts';
import { lastFour, Secret } from '../credentials/credential-fields.ts';
import { defineProcessor, type ProcessorWords } from '../ports/declaration.ts';

/** A merchant's own service, which finds and refunds charges at whatever processor it uses. It takes no payments here. */
export const http = defineProcessor({
  name: 'http',
  place: 6,
  takesPayments: false,
  sendsWebhooks: true,
  tellsOfLapses: true,
  capturesLater: false,
  paysOut: false,
  namesAccount: true,
  connection: { place: 6, listsDisputes: true, isAtMerchant: true },
  connectionKeys: v.object({
    base_url: AnyText,
    secret: Secret('must be whsec_ followed by at least 24 bytes in base64', /^whsec_[\w+/-]{32,}={0,2}$/),
  }),
  identity: ({ base_url }) => [base_url],
  toDto: ({ base_url, secret }) => ({ base_url, secret: lastFour(secret) }),
});

export const httpWords = {
  title: 'your own service',
  fields: {},
  credentials: null,
  connectionKeys:
    '`base_url` of your service, and optionally the `secret` (`whsec_…`) with which calls to it are signed',
  webhook: {
    key: '`secret`',
    type: 'application/json',
    header: { name: 'Webhook-Signature', description: 'the signature of Standard Webhooks, `v1,` and base64.' },
  },
} as const satisfies ProcessorWords;
