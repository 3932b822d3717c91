import { endpoint } from '../../core/http.ts';
import { statusResult } from '../status.ts';
import { statusByTid } from '../status-store.ts';
import { getByTid } from './operation.ts';

export const handler = endpoint(getByTid, async ({ params: { id: sid, ...asked } }) =>
  statusResult(await statusByTid({ sid, ...asked })),
);
