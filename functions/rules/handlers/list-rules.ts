import { endpoint } from '../../core/http.ts';
import { rulesShown } from '../fields.ts';
import { listRules } from '../operations.ts';
import { ownerFor, readBook } from '../rule-store.ts';

export const handler = endpoint(listRules, async ({ body, caller }) => {
  const { rules } = await readBook(await ownerFor(body, caller));
  return rulesShown(rules);
});
