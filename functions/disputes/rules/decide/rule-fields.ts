import { Refusal } from '#core/platform/operation/errors.ts';
import { readRuleAction } from '#disputes/alerts/automatic/actions.ts';
import type { Rule, RuleFields } from '#disputes/alerts/automatic/rule.ts';
import type { RuleProvider } from '#disputes/providers/providers.ts';
import { type ConditionGroup, readRuleConditions } from '../conditions.ts';

type Sent = {
  name: string;
  mode: Rule['mode'];
  enabled: boolean;
  providers: readonly RuleProvider[];
  conditions: unknown;
  action: Parameters<typeof readRuleAction>[0];
};

/** The parts of a rule that decide, checked: conditions and an action that its providers take. Throws request_invalid. */
export const decidingFields = ({
  providers,
  conditions,
  action,
}: Pick<Sent, 'providers' | 'conditions' | 'action'>) => {
  const read = readRuleConditions(conditions);
  const taken = readRuleAction(action, providers);
  const problems = [...('problem' in read ? [read.problem] : []), ...(typeof taken === 'string' ? [taken] : [])];
  if ('problem' in read || typeof taken === 'string') throw new Refusal('request_invalid', problems.join('; '));
  return { providers, conditions: read satisfies ConditionGroup, action: taken };
};

/** A rule's fields from what was sent. Throws request_invalid. */
export const fieldsOf = ({ name, mode, enabled, ...deciding }: Sent): RuleFields => ({
  name,
  mode,
  enabled,
  ...decidingFields(deciding),
});

/** The fields of rules that are not stored; undefined: none were sent. Throws request_invalid, which names the rule by its place in `name`. */
export const draftFieldsOf = (name: string, list: readonly Sent[] | undefined): RuleFields[] | undefined =>
  list?.map((sent, place) => {
    try {
      return fieldsOf(sent);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new Refusal('request_invalid', `${name}.${place}.${error.details}`);
    }
  });

/** A rule's fields with those that were sent replaced, checked as a whole. Throws request_invalid. */
export const changedRuleFields = (rule: Rule, sent: { [N in keyof Sent]?: Sent[N] | undefined }): RuleFields =>
  fieldsOf({
    name: sent.name ?? rule.name,
    mode: sent.mode ?? rule.mode,
    enabled: sent.enabled ?? rule.enabled,
    providers: sent.providers ?? rule.providers,
    conditions: sent.conditions ?? rule.conditions,
    action: sent.action ?? rule.action,
  });

/** Checks whether a rule moves money without a person. */
export const refundsByItself = ({ enabled, mode, action }: Rule): boolean =>
  enabled && mode === 'live' && action.type === 'refund';

/** A rule on the wire. */
export const toRuleDto = (rule: Rule) => ({
  rule_id: rule.id,
  version: rule.version,
  mid: rule.mid,
  sid: rule.sid,
  name: rule.name,
  mode: rule.mode,
  enabled: rule.enabled,
  providers: [...rule.providers],
  conditions: { ...rule.conditions },
  action: rule.action,
  created_at: rule.createdAt,
  updated_at: rule.updatedAt,
  updated_by: rule.by,
});

export const toRulesDto = (rules: readonly Rule[]) => ({ list: rules.map(toRuleDto), totalResult: rules.length });
