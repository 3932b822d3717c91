import { endpoint } from '../../core/http.ts';
import { statusResult } from '../status.ts';
import { statusByHash } from '../status-store.ts';
import { getStatus } from './operation.ts';

export const handler = endpoint(getStatus, async ({ params: { id, hash } }) =>
  statusResult(await statusByHash(id, hash)),
);
