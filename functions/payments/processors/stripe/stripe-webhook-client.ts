import { nowMilliseconds } from '#core/kernel/clock.ts';
import type { WebhookOf } from '../ports/account.ts';
import { readStripeWebhook } from './stripe-webhook.ts';

export const stripeWebhookOf: WebhookOf = ({ open }, call) =>
  readStripeWebhook(open('stripe').webhook_secret ?? '', call, nowMilliseconds());
