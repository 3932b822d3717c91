import { endpoint } from '#core/platform/http/http.ts';
import { toFraudCheckDto } from '../../check/check.ts';
import { fraudCheck } from '../../check/check-store.ts';
import { fraudDetailsOperation } from './operation.ts';

export const handler = endpoint(fraudDetailsOperation, async ({ params, caller }) =>
  toFraudCheckDto(await fraudCheck(params.fraud_id, caller)),
);
