import { keyRing } from '#core/platform/secrets/secrets.ts';
import type { Gateway } from '#payments/processors/ports/gateway.ts';
import { connectionOfId } from './connection.ts';
import { readConnections } from './connection-store.ts';
import { loadGateway } from './gateway-registry-client.ts';

/** The gateway to a merchant's connection; undefined if its credentials cannot be used. */
export type GatewayFor = (at: { mid: number; connection: string }) => Promise<Gateway | undefined>;

export const gatewayOfConnection: GatewayFor = async ({ mid, connection: id }) => {
  const connection = connectionOfId(await readConnections(mid), id);
  return connection && loadGateway(connection, { mid, ring: await keyRing('encryption') });
};
