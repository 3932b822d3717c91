import { keyRing } from '#core/platform/secrets/secrets.ts';
import type { Gateway } from '#payments/processors/ports/gateway.ts';
import { connectionOfId } from './connection.ts';
import { connectionsOf } from './connection-store.ts';
import { gatewayOf } from './gateway-registry-client.ts';

/** The gateway to a merchant's connection; undefined if its credentials cannot be used. */
export type GatewayFor = (at: { mid: number; connection: string }) => Promise<Gateway | undefined>;

export const gatewayOfConnection: GatewayFor = async ({ mid, connection: id }) => {
  const connection = connectionOfId(await connectionsOf(mid), id);
  return connection && gatewayOf(connection, { mid, ring: await keyRing('encryption') });
};
