import * as v from 'valibot';
import { BaseUrl, Environment, lastFour, Secret } from '../credentials/credential-fields.ts';
import { defineProcessor, type ProcessorWords } from '../ports/declaration.ts';

/** https://support.authorize.net/knowledgebase/Knowledgearticle/?code=000001271 */
export const authorizeNet = defineProcessor({
  name: 'authorize_net',
  place: 10,
  takesPayments: false,
  sendsWebhooks: false,
  tellsOfLapses: true,
  capturesLater: false,
  paysOut: false,
  namesAccount: true,
  connection: { place: 10, listsDisputes: false, isAtMerchant: false },
  connectionKeys: v.object({
    api_login_id: Secret('must be the API Login ID of Authorize.Net', /^\w{3,25}$/),
    transaction_key: Secret('must be the Transaction Key of Authorize.Net', /^\w{16}$/),
    environment: Environment,
    base_url: BaseUrl,
  }),
  identity: ({ api_login_id }) => [api_login_id],
  toDto: ({ api_login_id, transaction_key, environment }) => ({
    ...{ api_login_id: lastFour(api_login_id), transaction_key: lastFour(transaction_key) },
    environment: environment ?? 'live',
  }),
});

export const authorizeNetWords = {
  title: 'Authorize.Net',
  fields: {},
  credentials: null,
  connectionKeys: '`api_login_id`, `transaction_key`, and optionally `environment` (`test`, `live`)',
  webhook: null,
} as const satisfies ProcessorWords;
