// Written by npm run fix, from the folders of functions/processors that declare a processor.
import type { WebhookOf } from './account.ts';
import { adyenWebhookOf } from './adyen/adyen-webhook-client.ts';
import { braintreeWebhookOf } from './braintree/braintree-webhook-client.ts';
import { nmiWebhookOf } from './nmi/nmi-webhook-client.ts';
import type { WebhookSender } from './processors.ts';
import { stripeWebhookOf } from './stripe/stripe-webhook-client.ts';

/** How webhooks to a site are read. */
export const siteWebhooks: Readonly<Record<WebhookSender, WebhookOf>> = {
  stripe: stripeWebhookOf,
  adyen: adyenWebhookOf,
  nmi: nmiWebhookOf,
  braintree: braintreeWebhookOf,
};
