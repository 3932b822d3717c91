import type { WebhookCall, WebhookRead } from './account.ts';
import { isWebhookSender } from './processors.ts';
import { siteWebhooks } from './registered-site-webhooks-client.ts';
import type { Route, RouteContext } from './routing.ts';
import { siteAccount } from './sealed-credentials.ts';

/** Reads a webhook with the secret of one account; undefined if it was not signed with that. */
export const readWebhook = async (route: Route, context: RouteContext, call: WebhookCall): Promise<WebhookRead> =>
  isWebhookSender(route.processor) ? siteWebhooks[route.processor](siteAccount(route, context), call) : undefined;
