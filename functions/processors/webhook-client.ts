import { nowMilliseconds } from '../core/clock.ts';
import { adyenProcessor } from './adyen/adyen-client.ts';
import { adyenMemory } from './adyen/adyen-store.ts';
import { readBraintreeWebhook } from './braintree/braintree-webhook.ts';
import { readNmiWebhook } from './nmi/nmi-webhook.ts';
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
  switch (account.processor) {
    case 'sandbox':
      return undefined;
    case 'adyen':
      return adyenProcessor(openCredentials('adyen', account, context), adyenMemory(`S${context.sid}`)).readWebhook(
        call,
      );
    case 'stripe':
      return readStripeWebhook(openCredentials('stripe', account, context).webhook_secret, call, nowMilliseconds());
    case 'nmi':
      return readNmiWebhook(openCredentials('nmi', account, context).webhook_key, call);
    case 'braintree':
      return readBraintreeWebhook(openCredentials('braintree', account, context), call);
  }
};
