import { describeError, log } from '../core/log.ts';
import type { DisputePort } from '../processors/dispute.ts';
import type { GatewayKind } from '../processors/processors.ts';
import type { Connection } from './connection.ts';
import { type GatewayContext, openKeys } from './gateway-registry-client.ts';

/** The name under which news from Adyen's webhooks to a connection are kept. */
export const adyenScopeOf = ({ id }: Pick<Connection, 'id'>): string => `C${id}`;

type Loader = (connection: Connection, context: GatewayContext) => Promise<DisputePort>;

/** Loaders of the adapters, called at first use. Null: the processor reports no disputes. */
const loaders: Readonly<Record<GatewayKind, Loader | null>> = {
  sandbox: null,
  stripe: async (connection, context) => {
    const { stripeDisputes } = await import('../processors/stripe/stripe-disputes-client.ts');
    const keys = openKeys('stripe', connection, context);
    return stripeDisputes({ ...keys, webhook_secret: keys.webhook_secret ?? '' });
  },
  adyen: async (connection) => {
    const { adyenDisputes } = await import('../processors/disputes-client.ts');
    return adyenDisputes(adyenScopeOf(connection));
  },
  nmi: async (connection, context) => {
    const { nmiDisputes } = await import('../processors/nmi/nmi-disputes-client.ts');
    const keys = openKeys('nmi', connection, context);
    return nmiDisputes({ ...keys, webhook_key: keys.webhook_key ?? '' });
  },
  braintree: async (connection, context) => {
    const { braintreeDisputes } = await import('../processors/braintree/braintree-disputes-client.ts');
    return braintreeDisputes({ ...openKeys('braintree', connection, context), merchant_accounts: {} });
  },
};

/**
 * The disputes of a merchant's own account; undefined if its processor reports none, or if the stored credentials cannot be
 * opened.
 */
export const disputesOf = async (connection: Connection, context: GatewayContext): Promise<DisputePort | undefined> => {
  try {
    return await loaders[connection.kind]?.(connection, context);
  } catch (error) {
    log('error', 'connection_unusable', { mid: context.mid, connection: connection.id, error: describeError(error) });
    return undefined;
  }
};
