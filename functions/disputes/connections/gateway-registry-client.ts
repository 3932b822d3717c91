import { type KeyRing, open } from '#core/kernel/crypto.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import type { Account } from '#payments/processors/ports/account.ts';
import type { Gateway } from '#payments/processors/ports/gateway.ts';
import { gatewayLoaders } from '#payments/processors/registered/registered-gateways-client.ts';
import { type Connection, connectionScopeOf, keysContext } from './connection.ts';

/** `ring`: the key ring of the `encryption` secret. */
export type GatewayContext = { mid: number; ring: KeyRing };

/** A connection as adapters are made from it. */
export const connectionAccount = (connection: Connection, { mid, ring }: GatewayContext): Account => ({
  owner: { mid },
  scope: connectionScopeOf(connection),
  open: () => JSON.parse(open(ring, keysContext(mid, connection.id), connection.sealed ?? '')),
});

/** The gateway of a connection; undefined if its credentials cannot be opened; nothing was sent then, so this is a definite failure. */
export const loadGateway = async (connection: Connection, context: GatewayContext): Promise<Gateway | undefined> => {
  try {
    const load = await gatewayLoaders[connection.kind]();
    return load(connectionAccount(connection, context));
  } catch (error) {
    log('error', 'connection_unusable', { mid: context.mid, connection: connection.id, error: describeError(error) });
    return undefined;
  }
};
