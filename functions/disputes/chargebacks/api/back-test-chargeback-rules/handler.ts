import { endpoint } from '#core/platform/http/http.ts';
import { ownerFor } from '#disputes/rules/rule-store.ts';
import { backTestChargebacks } from '../../automatic/past-verdict-store.ts';
import { backTestChargebackRulesOperation } from './operation.ts';

export const handler = endpoint(
  backTestChargebackRulesOperation,
  async ({ body: { sid, mid, about, ...wanted }, caller }) =>
    backTestChargebacks(await ownerFor({ sid, mid, about }, caller), wanted),
);
