import { endpoint } from '../../core/http.ts';
import { ruleShown } from '../fields.ts';
import { ruleDetails } from '../operations.ts';
import { versionsOf } from '../rule-store.ts';

export const handler = endpoint(ruleDetails, async ({ params, caller }) => {
  const versions = await versionsOf(params.id, caller);
  return { ...ruleShown(versions[0]), versions: versions.map(ruleShown) };
});
