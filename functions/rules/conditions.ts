import { exponentOf } from '../core/money.ts';
import { normaliseDescriptor } from '../enrollments/descriptor.ts';
import { isWindow, volumeScopes } from './volume.ts';

export type Scalar = string | number | boolean;
export type FactParams = { of?: string; window?: string; currency?: string };

/** A condition in the JSON of json-rules-engine, of which we take this much: no paths, no references, no priorities. */
export type Comparison = { fact: string; operator: string; value: Scalar | Scalar[]; params?: FactParams };
export type Condition = { all: Condition[] } | { any: Condition[] } | { not: Condition } | Comparison;
export type Conditions = Exclude<Condition, Comparison>;

/** Every fact that a condition can ask for, and of what type it is. */
export const factTypes: ReadonlyMap<string, 'text' | 'number' | 'flag'> = new Map([
  ['provider', 'text'],
  ['alert_type', 'text'],
  ['amount', 'number'],
  ['currency', 'text'],
  ['descriptor', 'text'],
  ['reason_code', 'text'],
  ['card_bin', 'text'],
  ['alert_age', 'number'],
  ['transaction_age_days', 'number'],
  ['is_duplicate', 'flag'],
  ['volume_count', 'number'],
  ['volume_sum', 'number'],
]);

const operators = {
  text: ['equal', 'notEqual', 'in', 'notIn', 'startsWith'],
  number: ['equal', 'notEqual', 'in', 'notIn', 'lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'],
  flag: ['equal', 'notEqual'],
} as const;

export const limits = { depth: 5, comparisons: 50, values: 100, characters: 200, bytes: 4096 } as const;

type Problem = { problem: string };
type Context = { place: string; depth: number; seen: { comparisons: number } };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isProblem = (value: unknown): value is Problem => isObject(value) && 'problem' in value;

const strayKey = (value: Record<string, unknown>, known: readonly string[]): string | undefined =>
  Object.keys(value).find((key) => !known.includes(key));

/**
 * Checks what a caller sent as conditions and answers a copy that holds nothing else, descriptors in the one spelling; or
 * what is wrong with it, naming the place.
 */
export const readConditions = (sent: unknown): Conditions | Problem => {
  const size = Buffer.byteLength(JSON.stringify(sent) ?? '');
  if (size > limits.bytes) return { problem: `conditions: must have at most ${limits.bytes} bytes as JSON` };
  const read = readOne(sent, { place: 'conditions', depth: 1, seen: { comparisons: 0 } });
  if (isProblem(read)) return read;
  return 'fact' in read ? { problem: 'conditions: must begin with all, any or not' } : read;
};

const readOne = (sent: unknown, context: Context): Condition | Problem => {
  const { place, depth } = context;
  if (!isObject(sent)) return { problem: `${place}: must be an object` };
  if (depth > limits.depth) return { problem: `${place}: nests more than ${limits.depth} levels deep` };
  const [name = ''] = Object.keys(sent);
  if (name === 'all' || name === 'any') return readList(sent, name, context);
  if (name === 'not') {
    if (Object.keys(sent).length > 1) return { problem: `${place}: takes nothing beside not` };
    const inner = readOne(sent['not'], { ...context, place: `${place}.not`, depth: depth + 1 });
    return isProblem(inner) ? inner : { not: inner };
  }
  return readComparison(sent, context);
};

const readList = (sent: Record<string, unknown>, name: 'all' | 'any', context: Context): Condition | Problem => {
  const { place, depth } = context;
  const list = sent[name];
  if (Object.keys(sent).length > 1) return { problem: `${place}: takes nothing beside ${name}` };
  if (!Array.isArray(list) || list.length === 0) return { problem: `${place}.${name}: must be a list of conditions` };
  const read: Condition[] = [];
  for (const [index, one] of list.entries()) {
    const inner = readOne(one, { ...context, place: `${place}.${name}.${index}`, depth: depth + 1 });
    if (isProblem(inner)) return inner;
    read.push(inner);
  }
  return name === 'all' ? { all: read } : { any: read };
};

const readComparison = (sent: Record<string, unknown>, { place, seen }: Context): Comparison | Problem => {
  seen.comparisons += 1;
  if (seen.comparisons > limits.comparisons) {
    return { problem: `conditions: must have at most ${limits.comparisons} comparisons` };
  }
  const stray = strayKey(sent, ['fact', 'operator', 'value', 'params']);
  if (stray !== undefined) {
    return { problem: `${place}: takes all, any, not, or fact, operator, value and params, and nothing else` };
  }
  const { fact, operator, value, params } = sent;
  const type = typeof fact === 'string' ? factTypes.get(fact) : undefined;
  if (typeof fact !== 'string' || type === undefined) {
    return { problem: `${place}.fact: must be one of ${[...factTypes.keys()].join(', ')}` };
  }
  const known: readonly string[] = operators[type];
  if (typeof operator !== 'string' || !known.includes(operator)) {
    return { problem: `${place}.operator: for ${fact} must be one of ${known.join(', ')}` };
  }
  const values = readValue(value, type, operator, fact);
  if (isProblem(values)) return { problem: `${place}.value: ${values.problem}` };
  const readParams = paramsOf(fact, params);
  if (isProblem(readParams)) return { problem: `${place}.params: ${readParams.problem}` };
  return { fact, operator, value: values.value, ...(readParams.params && { params: readParams.params }) };
};

const scalarOf = (value: unknown, type: 'text' | 'number' | 'flag', fact: string): Scalar | undefined => {
  if (type === 'flag') return typeof value === 'boolean' ? value : undefined;
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > limits.characters) return undefined;
  return fact === 'descriptor' ? normaliseDescriptor(value) : value;
};

const words = {
  text: `must be text of at most ${limits.characters} characters`,
  number: 'must be a number',
  flag: 'must be true or false',
} as const;

const readValue = (
  value: unknown,
  type: 'text' | 'number' | 'flag',
  operator: string,
  fact: string,
): { value: Scalar | Scalar[] } | Problem => {
  if (operator !== 'in' && operator !== 'notIn') {
    const scalar = scalarOf(value, type, fact);
    return scalar === undefined ? { problem: words[type] } : { value: scalar };
  }
  if (!Array.isArray(value) || value.length === 0 || value.length > limits.values) {
    return { problem: `must be a list of 1 to ${limits.values} values` };
  }
  const scalars = value.flatMap((one) => scalarOf(one, type, fact) ?? []);
  return scalars.length === value.length ? { value: scalars } : { problem: `each ${words[type]}` };
};

/** Volumes say of what and over which time; an amount may say of which currency, and is unknown in any other. */
const paramsOf = (fact: string, sent: unknown): { params?: FactParams } | Problem => {
  const isVolume = fact === 'volume_count' || fact === 'volume_sum';
  if (sent === undefined && !isVolume) return {};
  if (!isObject(sent)) return { problem: isVolume ? 'must have of and window' : 'must be an object' };
  const { of, window, currency } = sent;
  const stray = strayKey(sent, isVolume ? ['of', 'window'] : fact === 'amount' ? ['currency'] : []);
  if (stray !== undefined) return { problem: `${fact} takes no such params` };
  if (!isVolume) {
    const isKnown = typeof currency === 'string' && exponentOf(currency) !== undefined;
    return isKnown ? { params: { currency } } : { problem: 'currency must be a currency code of ISO 4217' };
  }
  const scope = volumeScopes.find((one) => one === of);
  if (!scope) return { problem: `of must be one of ${volumeScopes.join(', ')}` };
  if (typeof window !== 'string' || !isWindow(window)) {
    return { problem: 'window must be from 1h to 30d, in hours or days, such as 24h or 7d' };
  }
  return { params: { of: scope, window } };
};

/** All comparisons of conditions, from left to right. */
export const comparisonsOf = (condition: Condition): Comparison[] => {
  if ('all' in condition) return condition.all.flatMap(comparisonsOf);
  if ('any' in condition) return condition.any.flatMap(comparisonsOf);
  return 'not' in condition ? comparisonsOf(condition.not) : [condition];
};
