import { endpoint } from '../../core/http.ts';
import { feesShown } from '../fee.ts';
import { getFees } from '../fee-store.ts';
import { listFees } from './operation.ts';

export const handler = endpoint(listFees, async ({ params: { sid }, caller }) =>
  feesShown(sid, await getFees(sid, caller)),
);
