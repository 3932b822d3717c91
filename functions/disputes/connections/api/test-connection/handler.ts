import { endpoint } from '#core/platform/http/http.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { toConnectionCheckDto } from '../../connection-check.ts';
import { connectionForCaller } from '../../connection-store.ts';
import { loadGateway } from '../../gateway-registry-client.ts';
import { testConnectionOperation } from './operation.ts';

export const handler = endpoint(testConnectionOperation, async ({ params: { mid, id }, caller }) => {
  const connection = await connectionForCaller(mid, id, caller);
  const gateway = await loadGateway(connection, { mid, ring: await keyRing('encryption') });
  return toConnectionCheckDto(connection, await gateway?.check());
});
