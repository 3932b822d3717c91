import { endpoint } from '#core/platform/http/http.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { toCheckDto } from '../../connection-check.ts';
import { connectionForCaller } from '../../connection-store.ts';
import { gatewayOf } from '../../gateway-registry-client.ts';
import { testConnection } from './operation.ts';

export const handler = endpoint(testConnection, async ({ params: { mid, id }, caller }) => {
  const connection = await connectionForCaller(mid, id, caller);
  const gateway = await gatewayOf(connection, { mid, ring: await keyRing('encryption') });
  return toCheckDto(connection, await gateway?.check());
});
