import type { WebhookUrlRules } from '#core/kernel/webhook-url.ts';
import { optional } from '#core/platform/operation/environment.ts';

/** Returns what this deployment allows of a merchant's URLs. */
export const webhookUrlRules = (): WebhookUrlRules => ({
  allowLoopbackHttp: optional('ALLOW_LOOPBACK_HTTP') === 'true',
  extraPorts: (optional('EXTRA_WEBHOOK_PORTS') ?? '')
    .split(',')
    .map(Number)
    .filter((port) => port > 0),
});
