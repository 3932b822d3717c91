import { Engine } from 'json-rules-engine';
import type { Comparison, Condition, ConditionGroup, FactParams, Scalar } from './condition-reader.ts';

export type FactReader = (name: string, params: FactParams | undefined) => Scalar | null;

/** Texts are compared without regard to case. */
const foldCase = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);
const isEqual = (value: unknown, other: unknown): boolean => foldCase(value) === foldCase(other);
const isAmong = (value: unknown, others: unknown): boolean =>
  Array.isArray(others) && others.some((other) => isEqual(value, other));
const startsWith = (value: unknown, beginning: unknown): boolean =>
  typeof value === 'string' && typeof beginning === 'string' && value.toLowerCase().startsWith(beginning.toLowerCase());

const comparisons = {
  startsWith,
  equal: isEqual,
  notEqual: (value: unknown, other: unknown) => !isEqual(value, other),
  in: isAmong,
  notIn: (value: unknown, others: unknown) => Array.isArray(others) && !isAmong(value, others),
};

/** Checks whether conditions are met. For an unknown fact (null) only `notEqual` and `notIn` hold. */
export const holds = async (
  conditions: ConditionGroup,
  facts: Iterable<string>,
  factOf: FactReader,
  operators: Readonly<Record<string, (value: unknown, expected: unknown) => boolean>> = {},
): Promise<boolean> => {
  const engine = new Engine([{ conditions, event: { type: 'met' } }]);
  for (const [name, compare] of Object.entries({ ...comparisons, ...operators })) engine.addOperator(name, compare);
  for (const name of facts) engine.addFact(name, (params) => factOf(name, params));
  const { events } = await engine.run();
  return events.length > 0;
};

/** The operators of opposite comparisons; only `holdsSurely` uses `notStartsWith`. */
const opposites: Readonly<Record<string, string>> = {
  equal: 'notEqual',
  notEqual: 'equal',
  in: 'notIn',
  notIn: 'in',
  startsWith: 'notStartsWith',
  lessThan: 'greaterThanInclusive',
  greaterThanInclusive: 'lessThan',
  lessThanInclusive: 'greaterThan',
  greaterThan: 'lessThanInclusive',
};

/** The same conditions with every `not` carried down into the comparisons (De Morgan). */
const withoutNot = (condition: Condition, negated: boolean): Condition => {
  if ('not' in condition) return withoutNot(condition.not, !negated);
  if ('all' in condition || 'any' in condition) {
    const isAll = 'all' in condition;
    const inner = (isAll ? condition.all : condition.any).map((one) => withoutNot(one, negated));
    return isAll === negated ? { any: inner } : { all: inner };
  }
  return negated ? { ...condition, operator: opposites[condition.operator] ?? condition.operator } : condition;
};

/** The same conditions in which comparisons that are granted are met. */
const granting = (condition: Condition, isGranted: (comparison: Comparison) => boolean): Condition => {
  if ('not' in condition) return { not: granting(condition.not, isGranted) };
  if ('all' in condition) return { all: condition.all.map((one) => granting(one, isGranted)) };
  if ('any' in condition) return { any: condition.any.map((one) => granting(one, isGranted)) };
  return isGranted(condition) ? { ...condition, operator: 'granted' } : condition;
};

/**
 * Checks whether conditions are met whatever the unknown facts may be: a comparison with an unknown fact is neither true nor false, nor is
 * its opposite. Without any `not`, it is enough to let such comparisons fail. `isGranted`: which comparisons count as met.
 */
export const holdsSurely = (
  conditions: ConditionGroup,
  facts: Iterable<string>,
  factOf: FactReader,
  isGranted: (comparison: Comparison) => boolean = () => false,
): Promise<boolean> => {
  const plain = granting(withoutNot(conditions, false), isGranted);
  const topmost: ConditionGroup = 'fact' in plain ? { all: [plain] } : plain;
  return holds(topmost, facts, factOf, {
    notEqual: (value, other) => value !== null && !isEqual(value, other),
    notIn: (value, others) => value !== null && Array.isArray(others) && !isAmong(value, others),
    granted: () => true,
    notStartsWith: (value, beginning) => typeof value === 'string' && !startsWith(value, beginning),
  });
};
