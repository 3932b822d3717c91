import { nowMilliseconds } from '../core/clock.ts';
import { adyenProcessor } from './adyen/adyen-client.ts';
import { adyenMemory } from './adyen/adyen-store.ts';
import { readBraintreeWebhook } from './braintree/braintree-webhook.ts';
import { readNmiWebhook } from './nmi/nmi-webhook.ts';
import type { Processor, ProcessorEvent } from './processor.ts';
import { isWebhookSender, type WebhookSender } from './processors.ts';
import type { Route } from './routing.ts';
import { openCredentials, type RouteContext } from './sealed-credentials.ts';
import { readStripeWebhook } from './stripe/stripe-webhook.ts';

type WebhookCall = Parameters<Processor['readWebhook']>[0];

type Read = readonly ProcessorEvent[] | undefined;
type Reader = (account: Route, context: RouteContext, call: WebhookCall) => Read | Promise<Read>;

const readers: Readonly<Record<WebhookSender, Reader>> = {
  stripe: (account, context, call) =>
    readStripeWebhook(openCredentials('stripe', account, context).webhook_secret, call, nowMilliseconds()),
  adyen: (account, context, call) =>
    adyenProcessor(openCredentials('adyen', account, context), adyenMemory(`S${context.sid}`)).readWebhook(call),
  nmi: (account, context, call) => readNmiWebhook(openCredentials('nmi', account, context).webhook_key, call),
  braintree: (account, context, call) => readBraintreeWebhook(openCredentials('braintree', account, context), call),
};

/** Reads a webhook with the secret of one account; undefined if it was not signed with that. */
export const readWebhook = async (account: Route, context: RouteContext, call: WebhookCall): Promise<Read> =>
  isWebhookSender(account.processor) ? readers[account.processor](account, context, call) : undefined;
