import { keyRing } from '#core/platform/secrets/secrets.ts';
import type { ConnectedProcessor } from '#payments/processors/ports/connected-processor.ts';
import { loadConnectedProcessor } from './connected-processor-registry-client.ts';
import { connectionOfId } from './connection.ts';
import { readConnections } from './connection-store.ts';

/** The processor at a merchant's connection; undefined if its credentials cannot be used. */
export type FindConnected = (at: { mid: number; connection: string }) => Promise<ConnectedProcessor | undefined>;

export const findConnectedProcessor: FindConnected = async ({ mid, connection: id }) => {
  const connection = connectionOfId(await readConnections(mid), id);
  return connection && loadConnectedProcessor(connection, { mid, ring: await keyRing('encryption') });
};
