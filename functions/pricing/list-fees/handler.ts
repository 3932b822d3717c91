import { endpoint } from '../../core/http.ts';
import { toFeesDto } from '../fee.ts';
import { getFees } from '../fee-store.ts';
import { listFees } from './operation.ts';

export const handler = endpoint(listFees, async ({ params: { sid }, caller }) =>
  toFeesDto(sid, await getFees(sid, caller)),
);
