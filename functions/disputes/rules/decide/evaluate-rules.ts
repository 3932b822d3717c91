import { type MatchedRule, matchedShadow, type Rule } from '#disputes/alerts/automatic/rule.ts';
import { holds } from '#payments/conditions/engine.ts';
import { ruleFactTypes } from '../conditions.ts';
import { type Facts, factValue } from './alert-facts.ts';

/** Checks whether facts meet a rule's conditions. */
export const meets = ({ conditions }: Pick<Rule, 'conditions'>, facts: Facts): Promise<boolean> =>
  holds(conditions, ruleFactTypes.keys(), (name, params) => factValue(facts, name, params));

/** The result of the rules for an alert: the live one that decides, if any, and the shadow rules that matched before it. */
export type Evaluation = { decided: Rule | null; shadows: MatchedRule[] };

/**
 * Asks rules in order: the first live one whose conditions are met decides. Shadow rules that are met on the way are reported
 * and change nothing. Depends on its arguments alone.
 */
export const evaluate = async (rules: readonly Rule[], facts: Facts): Promise<Evaluation> => {
  const shadows: MatchedRule[] = [];
  for (const rule of rules) {
    if (!(await meets(rule, facts))) continue;
    if (rule.mode === 'live') return { decided: rule, shadows };
    shadows.push(matchedShadow(rule));
  }
  return { decided: null, shadows };
};
