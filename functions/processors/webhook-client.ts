import { nowMilliseconds } from '../core/clock.ts';
import { adyenProcessor } from './adyen/adyen-client.ts';
import { adyenMemory } from './adyen/adyen-store.ts';
import type { Processor, ProcessorEvent } from './processor.ts';
import type { Route } from './routing.ts';
import { openCredentials, type RouteContext } from './sealed-credentials.ts';
import { readStripeWebhook } from './stripe/stripe-webhook.ts';

type WebhookCall = Parameters<Processor['readWebhook']>[0];

/** Reads a webhook with the secret of one account; undefined if it was not signed with that. */
export const readWebhook = async (
  account: Route,
  context: RouteContext,
  call: WebhookCall,
): Promise<readonly ProcessorEvent[] | undefined> => {
  if (account.processor === 'sandbox') return undefined;
  if (account.processor === 'adyen') {
    return adyenProcessor(openCredentials('adyen', account, context), adyenMemory(`S${context.sid}`)).readWebhook(call);
  }
  const { webhook_secret: secret } = openCredentials('stripe', account, context);
  return readStripeWebhook(secret, call, nowMilliseconds());
};
