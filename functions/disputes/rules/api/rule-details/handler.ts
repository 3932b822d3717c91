import { endpoint } from '#core/platform/http/http.ts';
import { toRuleDto } from '../../decide/rule-fields.ts';
import { readRuleVersions } from '../../rule-store.ts';
import { ruleDetailsOperation } from './operation.ts';

export const handler = endpoint(ruleDetailsOperation, async ({ params, caller }) => {
  const versions = await readRuleVersions(params.id, caller);
  return { ...toRuleDto(versions[0]), versions: versions.map(toRuleDto) };
});
