import { endpoint } from '../../core/http.ts';
import { toCheckDto } from '../check.ts';
import { fraudCheck } from '../check-store.ts';
import { fraudDetails } from './operation.ts';

export const handler = endpoint(fraudDetails, async ({ params, caller }) =>
  toCheckDto(await fraudCheck(params.fraud_id, caller)),
);
