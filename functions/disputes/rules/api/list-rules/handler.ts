import { endpoint } from '#core/platform/http/http.ts';
import { toRulesDto } from '../../decide/rule-fields.ts';
import { ownerFor, readBook } from '../../rule-store.ts';
import { listRulesOperation } from './operation.ts';

export const handler = endpoint(listRulesOperation, async ({ body, caller }) => {
  const { rules } = await readBook(await ownerFor(body, caller));
  return toRulesDto(rules);
});
