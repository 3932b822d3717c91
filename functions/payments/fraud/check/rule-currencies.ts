import type { Condition } from '#payments/conditions/condition-reader.ts';
import type { TemplateRule } from '../template/template.ts';

/** The currencies of the amounts that conditions compare. */
export const currenciesNamed = (condition: Condition): string[] => {
  if ('not' in condition) return currenciesNamed(condition.not);
  if ('all' in condition) return condition.all.flatMap(currenciesNamed);
  if ('any' in condition) return condition.any.flatMap(currenciesNamed);
  return condition.params?.currency === undefined ? [] : [condition.params.currency];
};

/** The currencies that any rule of a template names. */
export const currenciesCovered = (rules: readonly Pick<TemplateRule, 'conditions'>[]): ReadonlySet<string> =>
  new Set(rules.flatMap(({ conditions }) => currenciesNamed(conditions)));
