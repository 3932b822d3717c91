import { holdsSurely } from '#payments/conditions/engine.ts';
import { type Facts, factValue } from '#payments/conditions/fact-values.ts';
import { fraudFactTypes } from '../template/fraud-vocabulary.ts';
import type { TemplateRule } from '../template/template.ts';

/** The rules whose conditions are met. An unknown fact meets no comparison, nor its opposite. */
export const rulesMet = async (rules: readonly TemplateRule[], facts: Facts): Promise<TemplateRule[]> => {
  const met = await Promise.all(
    rules.map(({ conditions }) =>
      holdsSurely(conditions, fraudFactTypes.keys(), (name, params) => factValue(facts, name, params)),
    ),
  );
  return rules.filter((_, index) => met[index]);
};
