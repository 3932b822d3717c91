import { describeError, log } from '../core/log.ts';
import type { DisputePort } from '../processors/dispute.ts';
import type { Connection } from './connection.ts';
import { type GatewayContext, openKeys } from './gateway-registry-client.ts';

/** What webhooks of Adyen told a connection is kept under this name. */
export const adyenScopeOf = ({ id }: Pick<Connection, 'id'>): string => `C${id}`;

/**
 * The disputes of a merchant's own account; undefined where its processor tells of none, or the credentials that are kept cannot be
 * opened. Each adapter is loaded when it is first wanted.
 */
export const disputesOf = async (connection: Connection, context: GatewayContext): Promise<DisputePort | undefined> => {
  try {
    return await load(connection, context);
  } catch (error) {
    log('error', 'connection_unusable', { mid: context.mid, connection: connection.id, error: describeError(error) });
    return undefined;
  }
};

const load = async (connection: Connection, context: GatewayContext): Promise<DisputePort | undefined> => {
  switch (connection.kind) {
    case 'sandbox':
      return undefined;
    case 'stripe': {
      const { stripeDisputes } = await import('../processors/stripe/stripe-disputes-client.ts');
      const keys = openKeys('stripe', connection, context);
      return stripeDisputes({ ...keys, webhook_secret: keys.webhook_secret ?? '' });
    }
    case 'nmi': {
      const { nmiDisputes } = await import('../processors/nmi/nmi-disputes-client.ts');
      const keys = openKeys('nmi', connection, context);
      return nmiDisputes({ ...keys, webhook_key: keys.webhook_key ?? '' });
    }
    case 'braintree': {
      const { braintreeDisputes } = await import('../processors/braintree/braintree-disputes-client.ts');
      return braintreeDisputes({ ...openKeys('braintree', connection, context), merchant_accounts: {} });
    }
    case 'adyen': {
      const { adyenDisputes } = await import('../processors/disputes-client.ts');
      return adyenDisputes(adyenScopeOf(connection));
    }
  }
};
