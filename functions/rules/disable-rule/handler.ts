import { endpoint } from '../../core/http.ts';
import { toRuleDto } from '../fields.ts';
import { changeRule } from '../rule-store.ts';
import { disableRule } from './operation.ts';

export const handler = endpoint(disableRule, async ({ params, caller }) =>
  toRuleDto(await changeRule(params.id, caller, undefined, (rule) => ({ ...rule, enabled: false }))),
);
