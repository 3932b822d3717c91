import { endpoint } from '../../core/http.ts';
import { ruleShown } from '../fields.ts';
import { changeRule } from '../rule-store.ts';
import { disableRule } from './operation.ts';

export const handler = endpoint(disableRule, async ({ params, caller }) =>
  ruleShown(await changeRule(params.id, caller, undefined, (rule) => ({ ...rule, enabled: false }))),
);
