import { nowIso } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { toKeyRequestDto } from '../../api-keys/key-request-row.ts';
import { readKeyRequests } from '../../api-keys/key-request-store.ts';
import { listKeyRequestsOperation } from './operation.ts';

export const handler = endpoint(listKeyRequestsOperation, async ({ body, caller }) => {
  const day = body.day ?? nowIso().slice(0, 10);
  const { list, next_cursor } = await readKeyRequests({ ...body, day }, caller);
  return { day, list: list.map(toKeyRequestDto), next_cursor };
});
