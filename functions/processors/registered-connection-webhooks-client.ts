// Written by npm run fix, from the folders of functions/processors that declare a processor.
import type { WebhookOf } from './account.ts';
import { adyenConnectionWebhookOf } from './adyen/adyen-connection-webhook-client.ts';
import { braintreeWebhookOf } from './braintree/braintree-webhook-client.ts';
import { nmiWebhookOf } from './nmi/nmi-webhook-client.ts';
import type { GatewayKind } from './processors.ts';
import { stripeWebhookOf } from './stripe/stripe-webhook-client.ts';

/** How webhooks to a connection are read. Null: the processor sends none. */
export const connectionWebhooks: Readonly<Record<GatewayKind, WebhookOf | null>> = {
  sandbox: null,
  stripe: stripeWebhookOf,
  adyen: adyenConnectionWebhookOf,
  nmi: nmiWebhookOf,
  braintree: braintreeWebhookOf,
};
