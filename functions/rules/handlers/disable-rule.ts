import { endpoint } from '../../core/http.ts';
import { ruleShown } from '../fields.ts';
import { disableRule } from '../operations.ts';
import { changeRule } from '../rule-store.ts';

export const handler = endpoint(disableRule, async ({ params, caller }) =>
  ruleShown(await changeRule(params.id, caller, undefined, (rule) => ({ ...rule, enabled: false }))),
);
