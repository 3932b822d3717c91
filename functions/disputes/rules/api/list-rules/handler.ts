import { endpoint } from '#core/platform/http/http.ts';
import type { AnyAction } from '#disputes/alerts/automatic/rule.ts';
import { rdrText } from '../../decide/rdr-text.ts';
import { toRulesDto } from '../../decide/rule-fields.ts';
import { ownerFor, readBook } from '../../rule-store.ts';
import { listRulesOperation } from './operation.ts';

export const handler = endpoint(listRulesOperation, async ({ body, caller }) => {
  const { rules } = await readBook<AnyAction>(await ownerFor(body, caller));
  return toRulesDto(rules, body.about === 'rdr' ? rdrText(rules) : undefined);
});
