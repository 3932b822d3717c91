import { isObject } from '#core/kernel/is-object.ts';
import type { WebhookOf } from '../ports/account.ts';
import { askPayPal } from './paypal-exchange-client.ts';
import { eventsOfPayPal, toVerification } from './paypal-webhook.ts';

/** PayPal itself says whether it signed a webhook. Throws if it cannot be asked, so that it sends the webhook again. */
export const paypalWebhookOf: WebhookOf = async ({ open }, call) => {
  const keys = open('paypal');
  const body = keys.webhook_id === undefined ? undefined : toVerification(keys.webhook_id, call);
  if (body === undefined) return undefined;
  const path = '/v1/notifications/verify-webhook-signature';
  const answer = await askPayPal(keys)({ method: 'POST', path, body });
  if ('failure' in answer || answer.status === 429 || answer.status >= 500) {
    throw new Error('PayPal could not be asked whether it signed a webhook');
  }
  const status = isObject(answer.body) ? Object(answer.body)['verification_status'] : undefined;
  return status === 'SUCCESS' ? eventsOfPayPal(call.rawBody) : undefined;
};
