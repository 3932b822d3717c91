import { Refusal } from '#core/platform/operation/errors.ts';
import {
  actionTypes,
  type RuleAction,
  readRuleAction,
  readWarningAction,
  warningActionTypes,
} from '#disputes/alerts/automatic/actions.ts';
import { chargebackActionTypes, readChargebackAction } from '#disputes/alerts/automatic/chargeback-actions.ts';
import type { AnyAction, AnyRule, RuleFields, RuleSubject } from '#disputes/alerts/automatic/rule.ts';
import { type RuleProvider, ruleProviders } from '#disputes/providers/providers.ts';
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
export type Deciding = Pick<Sent, 'providers' | 'conditions' | 'action'>;

const answerFields = ['reason_code', 'comments', 'already', 'cancel_subscription', 'block', 'hold_order'];
const chargebackFields = ['floor', 'fee_acknowledged', 'assignee'];

/** For each subject: the actions that its rules take, the fields of others, and how an action is read. */
const actionsAbout = {
  alerts: { types: actionTypes, others: chargebackFields, read: readRuleAction },
  warnings: { types: warningActionTypes, others: chargebackFields, read: readWarningAction },
  chargebacks: { types: chargebackActionTypes, others: answerFields, read: readChargebackAction },
  rdr: { types: ['accept', 'review'], others: [...answerFields, ...chargebackFields], read: readChargebackAction },
} as const;

/** An action, or why it is none of what the rule is about. */
const readAction = (action: SentAction, providers: readonly RuleProvider[], about: RuleSubject): AnyAction | string => {
  const { types, others, read } = actionsAbout[about];
  if (!types.some((type) => type === action.type)) return `action.type: must be one of ${types.join(', ')}`;
  const stray = others.find((name) => action[name] !== undefined);
  if (stray) return `action.${stray}: a rule about this does not take it`;
  return (read as (sent: SentAction, providers: readonly RuleProvider[]) => AnyAction | string)(action, providers);
};

/**
 * The parts of a rule that decide, checked: conditions and an action that its subject, and its providers, take. Only rules about alerts name
 * providers. Throws request_invalid.
 */
export const decidingFields = <Action extends AnyAction = RuleAction>(
  { providers, conditions: sent, action: sentAction }: Deciding,
  about: RuleSubject = 'alerts',
) => {
  if (about !== 'alerts' && providers !== undefined && providers.length > 0) {
    const compared = { chargebacks: '; compare processor', warnings: '; compare provider', rdr: '' }[about];
    throw new Refusal('request_invalid', `providers: a rule about ${about} does not take it${compared}`);
  }
  const named = about === 'alerts' ? (providers ?? ruleProviders) : [];
  const conditions = readRuleConditions(sent, about);
  const action = readAction(sentAction, named, about);
  const problems = [
    ...('problem' in conditions ? [conditions.problem] : []),
    ...(typeof action === 'string' ? [action] : []),
  ];
  if ('problem' in conditions || typeof action === 'string') throw new Refusal('request_invalid', problems.join('; '));
  return { providers: named, conditions, action: action as Action };
};

/** A rule's fields from what was sent. Throws request_invalid. */
export const fieldsAbout = <Action extends AnyAction = AnyAction>(
  about: RuleSubject | undefined,
  { name, mode, enabled, ...deciding }: Sent,
): RuleFields<Action> => ({ name, mode, enabled, ...decidingFields<Action>(deciding, about) });

/** The fields of rules that are not stored; undefined: none were sent. Throws request_invalid, which names the rule by its place in `name`. */
export const draftFieldsOf = (name: string, list: readonly Sent[] | undefined): RuleFields[] | undefined =>
  list?.map((sent, place) => {
    try {
      return fieldsAbout<RuleAction>(undefined, sent);
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
export const movesMoneyByItself = ({ enabled, mode, action, about }: AnyRule): boolean =>
  enabled &&
  about !== 'rdr' &&
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

export const toRulesDto = (rules: readonly AnyRule[], text?: string) => ({
  list: rules.map(toRuleDto),
  totalResult: rules.length,
  ...(text !== undefined && { text }),
});
