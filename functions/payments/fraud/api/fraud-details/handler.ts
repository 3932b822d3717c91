import { endpoint } from '#core/platform/http/http.ts';
import { toCheckDto } from '../../check/check.ts';
import { fraudCheck } from '../../check/check-store.ts';
import { fraudDetails } from './operation.ts';

export const handler = endpoint(fraudDetails, async ({ params, caller }) =>
  toCheckDto(await fraudCheck(params.fraud_id, caller)),
);
