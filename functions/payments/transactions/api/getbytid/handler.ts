import { endpoint } from '#core/platform/http/http.ts';
import { statusResult } from '../../transaction/status.ts';
import { statusByTid } from '../../transaction/status-store.ts';
import { getByTidOperation } from './operation.ts';

export const handler = endpoint(getByTidOperation, async ({ params: { id: sid, ...asked } }) =>
  statusResult(await statusByTid({ sid, ...asked })),
);
