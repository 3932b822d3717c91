import * as v from 'valibot';
import { BaseUrl, Environment, lastFour, Secret } from '../credentials/credential-fields.ts';
import { defineProcessor, type ProcessorWords } from '../ports/declaration.ts';

/** https://developer.paypal.com/api/rest/authentication/ */
export const paypal = defineProcessor({
  name: 'paypal',
  place: 7,
  takesPayments: false,
  sendsWebhooks: true,
  tellsOfLapses: true,
  capturesLater: false,
  paysOut: false,
  namesAccount: true,
  connection: { place: 7, listsDisputes: true, isAtMerchant: false },
  connectionKeys: v.object({
    client_id: Secret('must be the client ID of a REST app of PayPal', /^[\w-]{20,128}$/),
    client_secret: Secret('must be the secret of a REST app of PayPal', /^[\w-]{20,128}$/),
    webhook_id: v.optional(Secret('must be the ID that PayPal gave the webhook', /^[A-Z\d]{10,50}$/)),
    environment: Environment,
    base_url: BaseUrl,
  }),
  identity: ({ environment, client_id }) => [environment, client_id],
  toDto: ({ client_id, environment }) => ({ client_id: lastFour(client_id), environment }),
});

export const paypalWords = {
  title: 'PayPal',
  fields: {},
  credentials: null,
  connectionKeys: '`client_id`, `client_secret`, and optionally `environment: test`',
  webhook: {
    key: '`webhook_id`',
    type: 'application/json',
    header: { name: 'PayPal-Transmission-Sig', description: 'a signature that PayPal is asked to verify.' },
  },
} as const satisfies ProcessorWords;
