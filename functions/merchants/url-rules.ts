import { optional } from '../core/environment.ts';
import type { WebhookUrlRules } from '../core/webhook-url.ts';

/** What this deployment allows of a merchant's URLs. */
export const webhookUrlRules = (): WebhookUrlRules => ({
  allowLoopbackHttp: optional('ALLOW_LOOPBACK_HTTP') === 'true',
  extraPorts: (optional('EXTRA_WEBHOOK_PORTS') ?? '')
    .split(',')
    .map(Number)
    .filter((port) => port > 0),
});
