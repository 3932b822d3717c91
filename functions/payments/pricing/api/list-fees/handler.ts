import { endpoint } from '#core/platform/http/http.ts';
import { toFeesDto } from '../../fees/fee.ts';
import { getFees } from '../../fees/fee-store.ts';
import { listFeesOperation } from './operation.ts';

export const handler = endpoint(listFeesOperation, async ({ params: { sid }, caller }) =>
  toFeesDto(sid, await getFees(sid, caller)),
);
