import { type KeyRing, open } from '../core/crypto.ts';
import { optional } from '../core/environment.ts';
import { describeError, log } from '../core/log.ts';
import type { GatewayKind } from '../processors/processors.ts';
import { type Connection, keysContext } from './connection.ts';
import type { ConnectionKeys } from './connection-credentials.ts';
import type { Gateway } from './gateway.ts';

/** `ring`: of the `encryption` secret. */
export type GatewayContext = { mid: number; ring: KeyRing };

/** The credentials of a connection in the clear. They were checked before they were sealed, so reading them needs no schema. */
export const openKeys = <K extends GatewayKind>(
  _kind: K,
  { id, sealed }: Connection,
  { mid, ring }: GatewayContext,
): ConnectionKeys<K> => JSON.parse(open(ring, keysContext(mid, id), sealed ?? ''));

type Loader = (connection: Connection, context: GatewayContext) => Promise<Gateway>;

/** Loaders of the adapters, called at first use, so that a merchant with one processor does not wait for the code of the others. */
const loaders: Readonly<Record<GatewayKind, Loader>> = {
  sandbox: async (_connection, { mid }) => {
    if (optional('ALLOW_SANDBOX') !== 'true') throw new Error('The sandbox is not allowed here: see ALLOW_SANDBOX');
    return (await import('./gateways/sandbox-gateway-store.ts')).sandboxGateway(mid);
  },
  stripe: async (connection, context) =>
    (await import('./gateways/stripe-gateway-client.ts')).stripeGateway(openKeys('stripe', connection, context)),
  adyen: async (connection, context) =>
    (await import('./gateways/adyen-gateway-client.ts')).adyenGateway(openKeys('adyen', connection, context)),
  nmi: async (connection, context) => {
    const keys = openKeys('nmi', connection, context);
    const { nmiGateway } = await import('./gateways/nmi-gateway-client.ts');
    return nmiGateway({ ...keys, webhook_key: keys.webhook_key ?? '' });
  },
  braintree: async (connection, context) => {
    const { braintreeGateway } = await import('./gateways/braintree-gateway-client.ts');
    return braintreeGateway({ ...openKeys('braintree', connection, context), merchant_accounts: {} });
  },
};

/** The gateway of a connection; undefined if its credentials cannot be opened; nothing was sent then, so this is a definite failure. */
export const gatewayOf = async (connection: Connection, context: GatewayContext): Promise<Gateway | undefined> => {
  try {
    return await loaders[connection.kind](connection, context);
  } catch (error) {
    log('error', 'connection_unusable', { mid: context.mid, connection: connection.id, error: describeError(error) });
    return undefined;
  }
};
