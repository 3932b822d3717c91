import { endpoint } from '../../core/http.ts';
import { checkShown } from '../check.ts';
import { fraudCheck } from '../check-store.ts';
import { fraudDetails } from './operation.ts';

export const handler = endpoint(fraudDetails, async ({ params, caller }) =>
  checkShown(await fraudCheck(params.fraud_id, caller)),
);
