import { endpoint } from '../../core/http.ts';
import { changedFields, ruleShown } from '../fields.ts';
import { changeRule } from '../rule-store.ts';
import { updateRule } from './operation.ts';

export const handler = endpoint(updateRule, async ({ params, body: { version, ...sent }, caller }) =>
  ruleShown(await changeRule(params.id, caller, version, (rule) => changedFields(rule, sent))),
);
