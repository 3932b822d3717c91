// Written by npm run fix, from the folders of functions/payments/processors that declare a processor.
import { adyenWebhookOf } from '../adyen/adyen-webhook-client.ts';
import { braintreeWebhookOf } from '../braintree/braintree-webhook-client.ts';
import { nmiWebhookOf } from '../nmi/nmi-webhook-client.ts';
import type { WebhookOf } from '../ports/account.ts';
import type { WebhookSender } from '../ports/processors.ts';
import { stripeWebhookOf } from '../stripe/stripe-webhook-client.ts';

/** The readers of webhooks to a site. */
export const siteWebhooks: Readonly<Record<WebhookSender, WebhookOf>> = {
  stripe: stripeWebhookOf,
  adyen: adyenWebhookOf,
  nmi: nmiWebhookOf,
  braintree: braintreeWebhookOf,
};
