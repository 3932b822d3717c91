import { type KeyRing, open } from '#core/kernel/crypto.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import type { Account } from '#payments/processors/ports/account.ts';
import type { ConnectedProcessor } from '#payments/processors/ports/connected-processor.ts';
import { connectedProcessorLoaders } from '#payments/processors/registered/registered-connected-processors-client.ts';
import { type Connection, connectionScopeOf, keysContext } from './connection.ts';

/** `ring`: the key ring of the `encryption` secret. */
export type ConnectionContext = { mid: number; ring: KeyRing };

/** A connection as adapters are made from it. */
export const connectionAccount = (connection: Connection, { mid, ring }: ConnectionContext): Account => ({
  owner: { mid },
  scope: connectionScopeOf(connection),
  open: () => JSON.parse(open(ring, keysContext(mid, connection.id), connection.sealed ?? '')),
});

/** The processor of a connection; undefined if its credentials cannot be opened; nothing was sent then, so this is a definite failure. */
export const loadConnectedProcessor = async (
  connection: Connection,
  context: ConnectionContext,
): Promise<ConnectedProcessor | undefined> => {
  try {
    const load = await connectedProcessorLoaders[connection.kind]();
    return load(connectionAccount(connection, context));
  } catch (error) {
    log('error', 'connection_unusable', { mid: context.mid, connection: connection.id, error: describeError(error) });
    return undefined;
  }
};
