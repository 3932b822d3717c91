import { endpoint } from '#core/platform/http/http.ts';
import { statusResult } from '../../transaction/status.ts';
import { statusByHash } from '../../transaction/status-store.ts';
import { getStatusOperation } from './operation.ts';

export const handler = endpoint(getStatusOperation, async ({ params: { id, hash } }) =>
  statusResult(await statusByHash(id, hash)),
);
