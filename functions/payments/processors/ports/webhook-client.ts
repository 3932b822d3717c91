import { siteAccount } from '../credentials/sealed-credentials.ts';
import { siteWebhooks } from '../registered/registered-site-webhooks-client.ts';
import type { Route, RouteContext } from '../routing/routing.ts';
import type { WebhookCall, WebhookRead } from './account.ts';
import { isWebhookSender } from './processors.ts';

/** Reads a webhook with the secret of one account; undefined if it was not signed with that. */
export const readWebhook = async (route: Route, context: RouteContext, call: WebhookCall): Promise<WebhookRead> =>
  isWebhookSender(route.processor) ? siteWebhooks[route.processor](siteAccount(route, context), call) : undefined;
