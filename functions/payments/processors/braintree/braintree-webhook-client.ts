import type { WebhookOf } from '../ports/account.ts';

export const braintreeWebhookOf: WebhookOf = async ({ open }, call) => {
  // Loads the XML parser, which no other processor's webhooks need.
  const { readBraintreeWebhook } = await import('./braintree-webhook.ts');
  return readBraintreeWebhook(open('braintree'), call);
};
