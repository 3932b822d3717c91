import { nowMilliseconds } from '../core/clock.ts';
import { describeError, log } from '../core/log.ts';
import { adyenMemory } from '../processors/adyen/adyen-store.ts';
import { eventOfNotice, readNotices } from '../processors/adyen/adyen-webhook.ts';
import { readNmiWebhook } from '../processors/nmi/nmi-webhook.ts';
import type { Processor, ProcessorEvent } from '../processors/processor.ts';
import type { GatewayKind } from '../processors/processors.ts';
import { readStripeWebhook } from '../processors/stripe/stripe-webhook.ts';
import type { Connection } from './connection.ts';
import { adyenScopeOf } from './connection-disputes-client.ts';
import { type GatewayContext, openKeys } from './gateway-registry-client.ts';

type WebhookCall = Parameters<Processor['readWebhook']>[0];

type Read = readonly ProcessorEvent[] | undefined;
type Reader = (connection: Connection, context: GatewayContext, call: WebhookCall) => Read | Promise<Read>;

/** Null: the processor sends no webhooks. */
const readers: Readonly<Record<GatewayKind, Reader | null>> = {
  sandbox: null,
  stripe: (connection, context, call) => {
    const { webhook_secret: secret = '' } = openKeys('stripe', connection, context);
    return readStripeWebhook(secret, call, nowMilliseconds());
  },
  adyen: async (connection, context, call) => {
    const { hmac_key: hmacKey = '', merchant_account: merchantAccount } = openKeys('adyen', connection, context);
    const notices = readNotices(call.rawBody, { hmacKey, merchantAccount });
    if (notices) await adyenMemory(adyenScopeOf(connection)).remember(notices);
    return notices?.map(eventOfNotice);
  },
  nmi: (connection, context, call) => readNmiWebhook(openKeys('nmi', connection, context).webhook_key ?? '', call),
  braintree: async (connection, context, call) => {
    // Loads the XML parser, which no other processor needs.
    const { readBraintreeWebhook } = await import('../processors/braintree/braintree-webhook.ts');
    return readBraintreeWebhook(openKeys('braintree', connection, context), call);
  },
};

/**
 * Reads a webhook with the secret of a connection; undefined if it was not signed with that, or the connection has none. News from Adyen
 * is stored, because it cannot be asked for afterwards.
 */
export const readConnectionWebhook = async (
  connection: Connection,
  context: GatewayContext,
  call: WebhookCall,
): Promise<Read> => {
  try {
    return await readers[connection.kind]?.(connection, context, call);
  } catch (error) {
    log('error', 'connection_unusable', { mid: context.mid, connection: connection.id, error: describeError(error) });
    throw error;
  }
};
