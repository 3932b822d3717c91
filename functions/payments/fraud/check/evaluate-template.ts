import { holdsSurely } from '#payments/conditions/engine.ts';
import { type Facts, factValue } from '#payments/conditions/fact-values.ts';
import { fraudFactTypes } from '../template/fraud-vocabulary.ts';
import { type TemplateRule, usualOtherCurrencies } from '../template/template.ts';
import { currenciesCovered, currenciesNamed } from './rule-currencies.ts';

/**
 * The rules whose conditions are met. An unknown fact meets no comparison, nor its opposite. A limit in dollars says nothing of
 * yen: where no rule names the payment's currency, a rule that names others has the effect of its `otherCurrencies` if the rest of
 * its conditions is met.
 */
export const rulesMet = async (rules: readonly TemplateRule[], facts: Facts): Promise<TemplateRule[]> => {
  const covered = currenciesCovered(rules);
  const isCovered = typeof facts['currency'] !== 'string' || covered.has(facts['currency']);
  const met = await Promise.all(
    rules.map(async (rule) => {
      const isElsewhere = !isCovered && currenciesNamed(rule.conditions).length > 0;
      const { otherCurrencies = usualOtherCurrencies } = rule;
      if (!isElsewhere) return (await isMet(rule, facts)) ? [rule] : [];
      if (otherCurrencies === 'ignore' || !(await isMet(rule, facts, true))) return [];
      return [{ ...rule, effect: { decision: otherCurrencies } }];
    }),
  );
  return met.flat();
};

const isMet = ({ conditions }: TemplateRule, facts: Facts, isElsewhere = false): Promise<boolean> =>
  holdsSurely(
    conditions,
    fraudFactTypes.keys(),
    (name, params) => factValue(facts, name, params),
    ({ params }) => isElsewhere && params?.currency !== undefined,
  );
