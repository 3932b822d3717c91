import { countWords } from '../parts/words.ts';

/** The facts of conditions, in words; and how flat conditions are read and written. */

export type Scalar = string | number | boolean;
type Params = { of?: string; window?: string; currency?: string };
export type Comparison = { fact: string; operator: string; value: Scalar | Scalar[]; params?: Params };
export type Group = 'all' | 'any' | 'none';
export type Flat = { group: Group; comparisons: Comparison[] };

type FactKind = 'text' | 'number' | 'flag';

export const facts = {
  amount: { label: 'Amount', kind: 'number' },
  alert_type: {
    label: 'Alert type',
    kind: 'text',
    choices: { DISPUTE: 'Dispute', FRAUD: 'Fraud', CANCEL: 'Cancellation' },
  },
  currency: { label: 'Currency', kind: 'text' },
  provider: {
    label: 'Network',
    kind: 'text',
    choices: { provider_a: 'Provider A', provider_b: 'Provider B', service_dummy: 'Test alerts' },
  },
  descriptor: { label: 'Descriptor', kind: 'text' },
  reason_code: { label: 'Network’s reason', kind: 'text' },
  card_bin: { label: 'Card’s first digits', kind: 'text' },
  alert_age: { label: 'Age of the alert', kind: 'number' },
  transaction_age_days: { label: 'Days since the payment', kind: 'number' },
  is_duplicate: {
    label: 'Repeats another alert',
    kind: 'flag',
    sentences: { true: 'Repeats another alert', false: 'Repeats no other alert' },
  },
  dispute_amount: { label: 'Disputed amount', kind: 'number' },
  dispute_currency: { label: 'Currency of the dispute', kind: 'text' },
  earlier_disputes: { label: 'Earlier disputes on this card', kind: 'number' },
  liability_shift: {
    label: '3-D Secure liability shift',
    kind: 'flag',
    sentences: { true: '3-D Secure shifts the liability', false: '3-D Secure does not shift the liability' },
  },
  order_value: { label: 'Value of the order', kind: 'number' },
  delivery_status: {
    label: 'Delivery status',
    kind: 'text',
    choices: {
      not_shipped: 'Not shipped',
      shipped: 'Shipped',
      in_transit: 'In transit',
      delivered: 'Delivered',
      pickup: 'Ready for pickup',
      exception: 'Exception',
      cancelled: 'Cancelled',
    },
  },
  subscription: {
    label: 'Subscription',
    kind: 'flag',
    sentences: { true: 'Pays for a subscription', false: 'Pays for no subscription' },
  },
  margin_over_price: { label: 'Disputed amount less the alert’s price', kind: 'number' },
  programme_status: {
    label: 'Monitoring programme status',
    kind: 'text',
    choices: { ok: 'Below the limits', near: 'Near a limit', over: 'Over a limit' },
  },
  volume_count: { label: 'Number of alerts', kind: 'number' },
  volume_sum: { label: 'Sum of alerts', kind: 'number' },
} as const satisfies Readonly<
  Record<
    string,
    {
      label: string;
      kind: FactKind;
      choices?: Readonly<Record<string, string>>;
      /** The sentences for a flag that is true, and for one that is false. */
      sentences?: Readonly<Record<'true' | 'false', string>>;
    }
  >
>;

export type FactName = keyof typeof facts;
export const isFact = (name: string): name is FactName => name in facts;
export const isVolume = (name: string): boolean => name === 'volume_count' || name === 'volume_sum';

const operatorWords = {
  equal: 'is',
  notEqual: 'is not',
  in: 'is one of',
  notIn: 'is none of',
  startsWith: 'begins with',
  lessThan: 'is below',
  lessThanInclusive: 'is at most',
  greaterThan: 'is above',
  greaterThanInclusive: 'is at least',
} as const;
type Operator = keyof typeof operatorWords;

const operatorsOfKind: Readonly<Record<FactKind, readonly Operator[]>> = {
  text: ['equal', 'notEqual', 'in', 'notIn', 'startsWith'],
  number: ['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive', 'equal', 'notEqual'],
  flag: ['equal'],
};

/** The values of a fact that has few, to choose one from; undefined for others, and where several values are typed. */
export const choicesOf = (fact: string, operator: string): { value: string; label: string }[] | undefined => {
  const known = isFact(fact) ? facts[fact] : undefined;
  if (!known || !('choices' in known) || !['equal', 'notEqual'].includes(operator)) return undefined;
  return Object.entries(known.choices).map(([value, label]) => ({ value, label }));
};

export const operatorsOf = (fact: string): { value: string; label: string }[] =>
  operatorsOfKind[isFact(fact) ? facts[fact].kind : 'text'].map((value) => ({ value, label: operatorWords[value] }));

/** A comparison that a new line of the builder begins with. */
export const newComparison = (fact: FactName): Comparison => {
  const kind = facts[fact].kind;
  const operator = operatorsOfKind[kind][0] ?? 'equal';
  const value = kind === 'number' ? 25 : kind === 'flag' ? true : (choicesOf(fact, operator)?.[0]?.value ?? '');
  if (isVolume(fact)) return { fact, operator, value: 3, params: { of: 'card', window: '7d' } };
  return { fact, operator, value, ...(fact === 'amount' && { params: { currency: 'USD' } }) };
};

/** A comparison of an amount, in the currency that was typed; in any, if none was. */
export const inCurrency = ({ params: _, ...comparison }: Comparison, text: string): Comparison => {
  const currency = text.trim().toUpperCase();
  return currency === '' ? comparison : { ...comparison, params: { currency } };
};

/** Reads a typed value: lists are separated by commas, numbers are numbers. */
export const readValue = (fact: string, operator: string, text: string): Scalar | Scalar[] => {
  const kind = isFact(fact) ? facts[fact].kind : 'text';
  const one = (part: string): Scalar => {
    if (kind === 'flag') return part === 'true';
    const number = Number(part);
    return kind === 'number' && part !== '' && Number.isFinite(number) ? number : part;
  };
  const isList = operator === 'in' || operator === 'notIn';
  return isList
    ? text
        .split(',')
        .map((part) => one(part.trim()))
        .filter((part) => part !== '')
    : one(text.trim());
};

export const valueText = (value: Scalar | Scalar[]): string =>
  Array.isArray(value) ? value.join(', ') : String(value);

const isComparison = (one: unknown): one is Comparison =>
  typeof one === 'object' && one !== null && 'fact' in one && 'operator' in one && 'value' in one;

/** Conditions as the builder shows them; undefined for those that only their text can show. */
export const readFlat = (conditions: unknown): Flat | undefined => {
  if (typeof conditions !== 'object' || conditions === null) return undefined;
  const entries = Object.entries(conditions);
  const [[name = '', inner] = []] = entries;
  if (name === 'not') {
    const flat = readFlat(inner);
    return flat?.group === 'any' ? { group: 'none', comparisons: flat.comparisons } : undefined;
  }
  if ((name !== 'all' && name !== 'any') || !Array.isArray(inner) || !inner.every(isComparison)) return undefined;
  return { group: name, comparisons: inner };
};

export const conditionsOf = ({ group, comparisons }: Flat): Record<string, unknown> =>
  group === 'none' ? { not: { any: comparisons } } : { [group]: comparisons };

/** `7d` in words; a window of another form as it is. */
const windowWords = (window = ''): string => {
  const [, count, unit] = /^(\d+)([hd])$/.exec(window) ?? [];
  return count === undefined ? window : countWords(Number(count), unit === 'h' ? 'hour' : 'day');
};

const paramWords = ({ of, window, currency }: Params = {}): string =>
  of ? ` of the ${of} within ${windowWords(window)}` : currency ? ` ${currency}` : '';

/** A value as the builder names it; the value itself where it has no name. */
const valueWords = (fact: string, value: Scalar): string =>
  choicesOf(fact, 'equal')?.find((choice) => choice.value === value)?.label ?? String(value);

/** `A, B or C`. */
const listWords = (list: readonly string[]): string =>
  list.length < 2 ? list.join('') : `${list.slice(0, -1).join(', ')} or ${list.at(-1)}`;

const comparisonWords = ({ fact, operator, value, params }: Comparison): string => {
  const known = isFact(fact) ? facts[fact] : undefined;
  if (known && 'sentences' in known && typeof value === 'boolean' && operator === 'equal')
    return known.sentences[`${value}`];
  const label = known?.label ?? fact;
  const words = operatorWords[operator as Operator] ?? operator;
  const shown = [value].flat().map((one) => valueWords(fact, one));
  if (operator === 'in') return `${label} is ${listWords(shown)}`;
  if (isVolume(fact)) return `${label}${paramWords(params)} ${words} ${shown.join(', ')}`;
  return `${label} ${words} ${shown.join(', ')}${paramWords(params)}`;
};

const joint = { all: ' and ', any: ' or ', none: ' or ' } as const;

/** Conditions in a sentence. */
export const conditionWords = (conditions: unknown): string => {
  const flat = readFlat(conditions);
  if (!flat) return JSON.stringify(conditions);
  const [first = '', ...others] = flat.comparisons.map(comparisonWords);
  const inside = others.map((one) => `${one.charAt(0).toLowerCase()}${one.slice(1)}`);
  const words = [first, ...inside].join(joint[flat.group]);
  return flat.group === 'none' ? `Not: ${words}` : words;
};
