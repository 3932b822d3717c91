// Written by npm run fix, from the folders of functions/payments/processors that declare a processor.
import { adyenConnectionWebhookOf } from '../adyen/adyen-connection-webhook-client.ts';
import { braintreeWebhookOf } from '../braintree/braintree-webhook-client.ts';
import { checkoutComWebhookOf } from '../checkout-com/checkout-com-webhook-client.ts';
import { httpWebhookOf } from '../http/http-webhook-client.ts';
import { nmiWebhookOf } from '../nmi/nmi-webhook-client.ts';
import { paypalWebhookOf } from '../paypal/paypal-webhook-client.ts';
import type { WebhookOf } from '../ports/account.ts';
import type { ConnectionKind } from '../ports/processors.ts';
import { shopifyWebhookOf } from '../shopify/shopify-webhook-client.ts';
import { stripeWebhookOf } from '../stripe/stripe-webhook-client.ts';

/** The readers of webhooks to a connection. Null: the processor sends none. */
export const connectionWebhooks: Readonly<Record<ConnectionKind, WebhookOf | null>> = {
  sandbox: null,
  stripe: stripeWebhookOf,
  adyen: adyenConnectionWebhookOf,
  nmi: nmiWebhookOf,
  braintree: braintreeWebhookOf,
  http: httpWebhookOf,
  paypal: paypalWebhookOf,
  checkout_com: checkoutComWebhookOf,
  shopify: shopifyWebhookOf,
  authorize_net: null,
};
