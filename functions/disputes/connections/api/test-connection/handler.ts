import { endpoint } from '#core/platform/http/http.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { loadConnectedProcessor } from '../../connected-processor-registry-client.ts';
import { toConnectionCheckDto } from '../../connection-check.ts';
import { connectionForCaller } from '../../connection-store.ts';
import { testConnectionOperation } from './operation.ts';

export const handler = endpoint(testConnectionOperation, async ({ params: { mid, id }, caller }) => {
  const connection = await connectionForCaller(mid, id, caller);
  const connected = await loadConnectedProcessor(connection, { mid, ring: await keyRing('encryption') });
  return toConnectionCheckDto(connection, await connected?.check());
});
