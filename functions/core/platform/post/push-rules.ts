import type { WebhookUrlRules } from '#core/kernel/webhook-url.ts';
import { optional } from '../operation/environment.ts';

/** Returns which addresses of push services this deployment allows. */
export const pushRules = (): WebhookUrlRules => ({
  allowLoopbackHttp: optional('ALLOW_LOOPBACK_HTTP') === 'true',
  extraPorts: [],
});
