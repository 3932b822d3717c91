import { isFields } from '#core/kernel/is-object.ts';
/** Conditions as callers send them, in the JSON of json-rules-engine; each use defines its own facts. */

export type Scalar = string | number | boolean;
export type FactParams = { of?: string; window?: string; currency?: string };

/** A condition in the JSON of json-rules-engine, of which we support a part: no paths, no references, no priorities. */
export type Comparison = { fact: string; operator: string; value: Scalar | Scalar[]; params?: FactParams };
export type Condition = { all: Condition[] } | { any: Condition[] } | { not: Condition } | Comparison;
export type ConditionGroup = Exclude<Condition, Comparison>;

export type FactType = 'text' | 'number' | 'flag';
export type ConditionProblem = { problem: string };
/** The canonical spelling of a text that is compared with a fact, or why the fact cannot have it. */
export type Spelling = (text: string, operator: string) => string | ConditionProblem;
/** The numbers that a fact can have. */
export type NumberRange = { min?: number; max?: number; isWhole?: true };

/** The facts that conditions of one use can test. */
export type Vocabulary = {
  facts: ReadonlyMap<string, FactType>;
  /** The parameters of a fact as they were sent, checked. */
  readParams: (fact: string, sent: unknown) => { params?: FactParams } | ConditionProblem;
  /** The spelling of each text fact. */
  spellings: Readonly<Record<string, Spelling>>;
  /** The limits of facts that are numbers. */
  ranges: Readonly<Record<string, NumberRange>>;
};

const operators = {
  text: ['equal', 'notEqual', 'in', 'notIn', 'startsWith'],
  number: ['equal', 'notEqual', 'in', 'notIn', 'lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'],
  flag: ['equal', 'notEqual'],
} as const;

export const limits = { depth: 5, comparisons: 50, values: 100, characters: 200, bytes: 4096 } as const;

type Context = { vocabulary: Vocabulary; place: string; depth: number; seen: { comparisons: number } };

const isProblem = (value: unknown): value is ConditionProblem => isFields(value) && 'problem' in value;

export const strayKey = (value: Record<string, unknown>, known: readonly string[]): string | undefined =>
  Object.keys(value).find((key) => !known.includes(key));

/**
 * Checks what a caller sent as conditions and returns a copy without anything else, texts in canonical spelling; or what is
 * wrong, naming the place.
 */
export const readConditionsOf = (vocabulary: Vocabulary, sent: unknown): ConditionGroup | ConditionProblem => {
  const size = Buffer.byteLength(JSON.stringify(sent) ?? '');
  if (size > limits.bytes) return { problem: `conditions: must have at most ${limits.bytes} bytes as JSON` };
  const read = readOne(sent, { vocabulary, place: 'conditions', depth: 1, seen: { comparisons: 0 } });
  if (isProblem(read)) return read;
  return 'fact' in read ? { problem: 'conditions: must begin with all, any or not' } : read;
};

const readOne = (sent: unknown, context: Context): Condition | ConditionProblem => {
  const { place, depth } = context;
  if (!isFields(sent)) return { problem: `${place}: must be an object` };
  if (depth > limits.depth) return { problem: `${place}: nests more than ${limits.depth} levels deep` };
  const [name = ''] = Object.keys(sent);
  if (name === 'all' || name === 'any') return readList(sent, name, context);
  if (name === 'not') {
    if (Object.keys(sent).length > 1) return { problem: `${place}: must contain only not` };
    const inner = readOne(sent['not'], { ...context, place: `${place}.not`, depth: depth + 1 });
    return isProblem(inner) ? inner : { not: inner };
  }
  return readComparison(sent, context);
};

const readList = (
  sent: Record<string, unknown>,
  name: 'all' | 'any',
  context: Context,
): Condition | ConditionProblem => {
  const { place, depth } = context;
  const list = sent[name];
  if (Object.keys(sent).length > 1) return { problem: `${place}: must contain only ${name}` };
  if (!Array.isArray(list) || list.length === 0) return { problem: `${place}.${name}: must be a list of conditions` };
  const read: Condition[] = [];
  for (const [index, one] of list.entries()) {
    const inner = readOne(one, { ...context, place: `${place}.${name}.${index}`, depth: depth + 1 });
    if (isProblem(inner)) return inner;
    read.push(inner);
  }
  return name === 'all' ? { all: read } : { any: read };
};

const readComparison = (
  sent: Record<string, unknown>,
  { vocabulary, place, seen }: Context,
): Comparison | ConditionProblem => {
  seen.comparisons += 1;
  if (seen.comparisons > limits.comparisons) {
    return { problem: `conditions: must have at most ${limits.comparisons} comparisons` };
  }
  const stray = strayKey(sent, ['fact', 'operator', 'value', 'params']);
  if (stray !== undefined) {
    return { problem: `${place}: must contain only all, any or not, or else fact, operator, value and params` };
  }
  const { fact, operator, value, params } = sent;
  const type = typeof fact === 'string' ? vocabulary.facts.get(fact) : undefined;
  if (typeof fact !== 'string' || type === undefined) {
    return { problem: `${place}.fact: must be one of ${[...vocabulary.facts.keys()].join(', ')}` };
  }
  const known: readonly string[] = operators[type];
  if (typeof operator !== 'string' || !known.includes(operator)) {
    return { problem: `${place}.operator: for ${fact} must be one of ${known.join(', ')}` };
  }
  const { spellings, ranges } = vocabulary;
  const values = readValue(value, operator, { type, spell: spellings[fact], range: ranges[fact] });
  if (isProblem(values)) return { problem: `${place}.value: ${values.problem}` };
  const readParams = vocabulary.readParams(fact, params);
  if (isProblem(readParams)) return { problem: `${place}.params: ${readParams.problem}` };
  return { fact, operator, value: values.value, ...(readParams.params && { params: readParams.params }) };
};

type Expected = { type: FactType; spell: Spelling | undefined; range: NumberRange | undefined };

const readScalar = (value: unknown, operator: string, { type, spell, range }: Expected): Scalar | ConditionProblem => {
  const wrong = { problem: words[type] };
  if (type === 'flag') return typeof value === 'boolean' ? value : wrong;
  if (type === 'number')
    return typeof value === 'number' && Number.isFinite(value) ? numberWithin(value, operator, range) : wrong;
  if (typeof value !== 'string' || value.length > limits.characters) return wrong;
  return spell ? spell(value, operator) : value;
};

/** A comparison with a fraction of a whole number has an answer; equality has none. */
const exact = ['equal', 'notEqual', 'in', 'notIn'];

const numberWithin = (value: number, operator: string, range: NumberRange = {}): number | ConditionProblem => {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, isWhole = false } = range;
  if (value < min) return { problem: `must be at least ${min}` };
  if (value > max) return { problem: `must be at most ${max}` };
  return isWhole && exact.includes(operator) && !Number.isInteger(value)
    ? { problem: 'must be a whole number' }
    : value;
};

const words = {
  text: `must be text of at most ${limits.characters} characters`,
  number: 'must be a number',
  flag: 'must be true or false',
} as const;

const readValue = (
  value: unknown,
  operator: string,
  expected: Expected,
): { value: Scalar | Scalar[] } | ConditionProblem => {
  if (operator !== 'in' && operator !== 'notIn') {
    const scalar = readScalar(value, operator, expected);
    return isProblem(scalar) ? scalar : { value: scalar };
  }
  if (!Array.isArray(value) || value.length === 0 || value.length > limits.values) {
    return { problem: `must be a list of 1 to ${limits.values} values` };
  }
  const scalars: Scalar[] = [];
  for (const one of value) {
    const scalar = readScalar(one, operator, expected);
    if (isProblem(scalar)) return { problem: `each ${scalar.problem}` };
    scalars.push(scalar);
  }
  return { value: scalars };
};

/** All comparisons of conditions, from left to right. */
export const flatten = (condition: Condition): Comparison[] => {
  if ('all' in condition) return condition.all.flatMap(flatten);
  if ('any' in condition) return condition.any.flatMap(flatten);
  return 'not' in condition ? flatten(condition.not) : [condition];
};
