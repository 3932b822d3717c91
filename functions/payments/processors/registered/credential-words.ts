// Written by npm run fix, from the folders of functions/payments/processors that declare a processor.

/** The credentials of a site. */
export const siteCredentials =
  'of stripe: `secret_key`, `webhook_secret`; of adyen: `api_key`, `merchant_account`, `hmac_key`, and `live_url_prefix` or `environment: test`; of nmi: `security_key`, `webhook_key`, and optionally `environment: test`; of braintree: `merchant_id`, `public_key`, `private_key`, `merchant_accounts` (`{"USD": "…"}`: which one is charged in each currency), and optionally `environment: test`';

/** The credentials of a connection. */
export const connectionCredentials =
  'of stripe: `secret_key`, preferably a restricted one; of nmi: `security_key`, and optionally `environment: test`; of braintree: `public_key`, `private_key`, and optionally `environment: test`; of adyen: `api_key`, `merchant_account`, and `live_url_prefix` or `environment: test`; of http: `base_url` of your service, and optionally the `secret` (`whsec_…`) with which calls to it are signed; of paypal: `client_id`, `client_secret`, and optionally `environment: test`; of checkout_com: `secret_key`, and `prefix` of your base URL; of shopify: `shop` (`….myshopify.com`), `client_id`, `client_secret`; of authorize_net: `api_login_id`, `transaction_key`, and optionally `environment` (`test`, `live`)';

/** The keys with which webhooks to a connection are signed. */
export const webhookKeys =
  '`webhook_secret` of stripe, `webhook_key` of nmi, the key pair of braintree, `hmac_key` of adyen, `secret` of http, `webhook_id` of paypal, `webhook_key` of checkout_com, `client_secret` of shopify';

/** The bodies of webhooks to sites, by media type. */
export const webhookBodies = {
  'application/json':
    'An event of Stripe or NMI, signed in a header; or notifications of Adyen, each signed in its `hmacSignature`.',
  'application/x-www-form-urlencoded': 'A notification of Braintree: `bt_payload`, signed in `bt_signature`.',
} as const;

/** The processors that sign webhooks in a header, and its name. */
export const webhookHeaders = {
  stripe: {
    name: 'Stripe-Signature',
    description: 'Of Stripe: `t=` seconds since 1970 `,v1=` the hex HMAC-SHA256 of `seconds.body`.',
  },
  nmi: { name: 'Webhook-Signature', description: 'Of NMI: `t=` a nonce `,s=` the hex HMAC-SHA256 of `nonce.body`.' },
} as const;

/** Their names alone. */
export const headerSigners = ['stripe', 'nmi'] as const;
