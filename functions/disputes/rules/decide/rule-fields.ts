import { Refusal } from '#core/platform/operation/errors.ts';
import { actionTypes, type RuleAction, readRuleAction } from '#disputes/alerts/automatic/actions.ts';
import {
  type ChargebackAction,
  chargebackActionTypes,
  readChargebackAction,
} from '#disputes/alerts/automatic/chargeback-actions.ts';
import type { AnyAction, AnyRule, RuleFields, RuleSubject } from '#disputes/alerts/automatic/rule.ts';
import { type RuleProvider, ruleProviders } from '#disputes/providers/providers.ts';
import type { ConditionGroup, ConditionProblem } from '#payments/conditions/condition-reader.ts';
import { readChargebackConditions } from '../chargeback-conditions.ts';
import { readRuleConditions } from '../conditions.ts';

/** An action as callers send it: the fields of rules about alerts, and of those about chargebacks. */
type SentAction = {
  type: AnyAction['type'];
  [name: string]: unknown;
};

type Sent = {
  name: string;
  mode: AnyRule['mode'];
  enabled: boolean;
  providers?: readonly RuleProvider[] | undefined;
  conditions: unknown;
  action: SentAction;
};
type Deciding = Pick<Sent, 'providers' | 'conditions' | 'action'>;

const alertFields = ['reason_code', 'comments', 'already', 'cancel_subscription', 'block'];
const chargebackFields = ['floor', 'fee_acknowledged', 'assignee'];

/** Why an action is none of what the rule is about; undefined if it is. */
const strangeAction = (action: SentAction, types: readonly string[], others: readonly string[]): string | undefined => {
  if (!types.includes(action.type)) return `action.type: must be one of ${types.join(', ')}`;
  const stray = others.find((name) => action[name] !== undefined);
  return stray && `action.${stray}: a rule about this does not take it`;
};

const checkBoth = <Action>(conditions: ConditionGroup | ConditionProblem, action: Action | string) => {
  const problems = [
    ...('problem' in conditions ? [conditions.problem] : []),
    ...(typeof action === 'string' ? [action] : []),
  ];
  if ('problem' in conditions || typeof action === 'string') throw new Refusal('request_invalid', problems.join('; '));
  return { conditions, action };
};

/** The parts of a rule about alerts that decide, checked: conditions and an action that its providers take. Throws request_invalid. */
export const decidingFields = ({ providers = ruleProviders, conditions, action }: Deciding) => {
  const taken =
    strangeAction(action, actionTypes, chargebackFields) ??
    readRuleAction(action as Parameters<typeof readRuleAction>[0], providers);
  return { providers, ...checkBoth<RuleAction>(readRuleConditions(conditions), taken) };
};

/** The same of a rule about chargebacks, which names no providers. Throws request_invalid. */
export const chargebackDecidingFields = ({ providers, conditions, action }: Deciding) => {
  if (providers !== undefined && providers.length > 0)
    throw new Refusal('request_invalid', 'providers: a rule about chargebacks does not take it; compare processor');
  const taken =
    strangeAction(action, chargebackActionTypes, alertFields) ??
    readChargebackAction(action as Parameters<typeof readChargebackAction>[0]);
  return { providers: [], ...checkBoth<ChargebackAction>(readChargebackConditions(conditions), taken) };
};

/** A rule's fields from what was sent. Throws request_invalid. */
export const fieldsOf = ({ name, mode, enabled, ...deciding }: Sent): RuleFields => ({
  name,
  mode,
  enabled,
  ...decidingFields(deciding),
});

/** The same of a rule about anything. Throws request_invalid. */
export const fieldsAbout = (about: RuleSubject | undefined, sent: Sent): RuleFields<AnyAction> => {
  if (about !== 'chargebacks') return fieldsOf(sent);
  const { name, mode, enabled, ...deciding } = sent;
  return { name, mode, enabled, ...chargebackDecidingFields(deciding) };
};

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
export const changedRuleFields = (
  rule: AnyRule,
  sent: { [N in keyof Sent]?: Sent[N] | undefined },
): RuleFields<AnyAction> =>
  fieldsAbout(rule.about, {
    name: sent.name ?? rule.name,
    mode: sent.mode ?? rule.mode,
    enabled: sent.enabled ?? rule.enabled,
    providers: sent.providers ?? rule.providers,
    conditions: sent.conditions ?? rule.conditions,
    action: sent.action ?? rule.action,
  });

/** Checks whether a rule moves money without a person: it refunds, gives up a chargeback, or agrees to a fee. */
export const movesMoneyByItself = ({ enabled, mode, action }: AnyRule): boolean =>
  enabled &&
  mode === 'live' &&
  (action.type === 'refund' ||
    action.type === 'accept' ||
    (action.type === 'submit' && action.fee_acknowledged === true));

/** A rule on the wire. */
export const toRuleDto = (rule: AnyRule) => ({
  rule_id: rule.id,
  version: rule.version,
  mid: rule.mid,
  sid: rule.sid,
  about: rule.about ?? ('alerts' as const),
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

export const toRulesDto = (rules: readonly AnyRule[]) => ({ list: rules.map(toRuleDto), totalResult: rules.length });
