import type { RuleAction } from '#disputes/alerts/automatic/actions.ts';
import { type AnyAction, type MatchedRule, matchedShadow, type Rule } from '#disputes/alerts/automatic/rule.ts';
import { holds } from '#payments/conditions/engine.ts';
import { factTypesOf } from '../conditions.ts';
import { type Facts, factValue } from './alert-facts.ts';

/** Checks whether facts meet a rule's conditions. */
export const meets = (
  { conditions, about }: Pick<Rule<AnyAction>, 'conditions' | 'about'>,
  facts: Facts,
): Promise<boolean> => holds(conditions, factTypesOf(about).keys(), (name, params) => factValue(facts, name, params));

/** The result of the rules for an alert or a chargeback: the live one that decides, if any, and the shadow rules that matched before it. */
export type Evaluation<Action = RuleAction> = { decided: Rule<Action> | null; shadows: MatchedRule<Action>[] };

/**
 * Asks rules in order: the first live one whose conditions are met decides. Shadow rules that are met on the way are reported
 * and change nothing. Depends on its arguments alone.
 */
export const evaluate = async <Action extends AnyAction = RuleAction>(
  rules: readonly Rule<Action>[],
  facts: Facts,
): Promise<Evaluation<Action>> => {
  const shadows: MatchedRule<Action>[] = [];
  for (const rule of rules) {
    if (!(await meets(rule, facts))) continue;
    if (rule.mode === 'live') return { decided: rule, shadows };
    shadows.push(matchedShadow(rule));
  }
  return { decided: null, shadows };
};
