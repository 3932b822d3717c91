import { translate } from '../language/translate.ts';
import { claimWords } from './reason-words.ts';

/** The facts of conditions, in words; and how flat conditions are read and written. */

export type Scalar = string | number | boolean;
export type Params = { of?: string; window?: string; currency?: string };
export type Comparison = { fact: string; operator: string; value: Scalar | Scalar[]; params?: Params };
export type Group = 'all' | 'any' | 'none';
export type Flat = { group: Group; comparisons: Comparison[] };

type FactKind = 'text' | 'number' | 'flag';

export const facts = {
  amount: { label: translate('Amount'), kind: 'number' },
  alert_type: {
    label: translate('Alert type'),
    kind: 'text',
    choices: { DISPUTE: translate('Dispute'), FRAUD: translate('Fraud'), CANCEL: translate('Cancellation') },
  },
  currency: { label: translate('Currency'), kind: 'text' },
  provider: {
    label: translate('Network'),
    kind: 'text',
    choices: {
      provider_a: translate('Provider A'),
      provider_b: translate('Provider B'),
      service_dummy: translate('Test alerts'),
    },
  },
  descriptor: { label: translate('Descriptor'), kind: 'text' },
  reason_code: { label: translate('Network’s reason'), kind: 'text' },
  card_bin: { label: translate('Card’s first digits'), kind: 'text' },
  alert_age: { label: translate('Age of the alert'), kind: 'number' },
  transaction_age_days: { label: translate('Days since the payment'), kind: 'number' },
  is_duplicate: {
    label: translate('Repeats another alert'),
    kind: 'flag',
    sentences: { true: translate('Repeats another alert'), false: translate('Repeats no other alert') },
  },
  dispute_amount: { label: translate('Disputed amount'), kind: 'number' },
  dispute_currency: { label: translate('Currency of the dispute'), kind: 'text' },
  earlier_disputes: { label: translate('Earlier disputes on this card'), kind: 'number' },
  liability_shift: {
    label: translate('3-D Secure liability shift'),
    kind: 'flag',
    sentences: {
      true: translate('3-D Secure shifts the liability'),
      false: translate('3-D Secure does not shift the liability'),
    },
  },
  order_value: { label: translate('Value of the order'), kind: 'number' },
  delivery_status: {
    label: translate('Delivery status'),
    kind: 'text',
    choices: {
      not_shipped: translate('Not shipped'),
      shipped: translate('Shipped'),
      in_transit: translate('In transit'),
      delivered: translate('Delivered'),
      pickup: translate('Ready for pickup'),
      exception: translate('Exception'),
      cancelled: translate('Cancelled'),
    },
  },
  subscription: {
    label: translate('Subscription'),
    kind: 'flag',
    sentences: { true: translate('Pays for a subscription'), false: translate('Pays for no subscription') },
  },
  margin_over_price: { label: translate('Disputed amount less the alert’s price'), kind: 'number' },
  programme_status: {
    label: translate('Monitoring programme status'),
    kind: 'text',
    choices: { ok: translate('Below the limits'), near: translate('Near a limit'), over: translate('Over a limit') },
  },
  processor: { label: translate('Processor'), kind: 'text' },
  network: { label: translate('Card network'), kind: 'text' },
  claim: {
    label: translate('Cardholder’s claim'),
    kind: 'text',
    choices: claimWords,
  },
  stage: {
    label: translate('Stage'),
    kind: 'text',
    choices: {
      inquiry: translate('Inquiry'),
      chargeback: translate('Chargeback'),
      arbitration: translate('Arbitration'),
    },
  },
  hours_to_due: { label: translate('Hours until it must be submitted'), kind: 'number' },
  days_open: { label: translate('Days since it was raised'), kind: 'number' },
  decisive_proof: {
    label: translate('Decisive evidence'),
    kind: 'flag',
    sentences: { true: translate('Has decisive evidence'), false: translate('Has no decisive evidence') },
  },
  proofs: { label: translate('Number of proofs'), kind: 'number' },
  files: { label: translate('Number of files'), kind: 'number' },
  ce3_qualified: {
    label: translate('Compelling Evidence 3.0'),
    kind: 'flag',
    sentences: {
      true: translate('Qualifies for Compelling Evidence 3.0'),
      false: translate('Does not qualify for Compelling Evidence 3.0'),
    },
  },
  shipped: {
    label: translate('Order was shipped'),
    kind: 'flag',
    sentences: { true: translate('The order was shipped'), false: translate('The order was not shipped') },
  },
  delivered: {
    label: translate('Order was delivered'),
    kind: 'flag',
    sentences: { true: translate('The order was delivered'), false: translate('The order was not delivered') },
  },
  win_chance: { label: translate('Chance to win in percent'), kind: 'number' },
  win_cases: { label: translate('Cases behind the chance to win'), kind: 'number' },
  fees: { label: translate('Fees'), kind: 'number' },
  expected_value: { label: translate('Expected value'), kind: 'number' },
  gain_over_accepting: { label: translate('Gain over accepting'), kind: 'number' },
  had_alert: {
    label: translate('There was an alert'),
    kind: 'flag',
    sentences: { true: translate('An alert came before it'), false: translate('No alert came before it') },
  },
  test: {
    label: translate('Of the sandbox'),
    kind: 'flag',
    sentences: { true: translate('Is of the sandbox'), false: translate('Is not of the sandbox') },
  },
  category: {
    label: translate('Category of the dispute at Visa'),
    kind: 'text',
    choices: {
      '10': translate('10 Fraud'),
      '11': translate('11 Authorisation'),
      '12': translate('12 Processing errors'),
      '13': translate('13 Consumer disputes'),
    },
  },
  volume_count: { label: translate('Number of alerts'), kind: 'number' },
  volume_sum: { label: translate('Sum of alerts'), kind: 'number' },
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
/** What rules decide about. */
export type RuleAbout = 'alerts' | 'chargebacks' | 'warnings' | 'rdr';
const ofRdr: readonly string[] = ['amount', 'currency', 'reason_code', 'category', 'claim'];

const onlyOfChargebacks = [
  ...(['processor', 'network', 'claim', 'stage', 'hours_to_due', 'days_open', 'decisive_proof', 'proofs'] as const),
  ...(['files', 'ce3_qualified', 'shipped', 'delivered', 'win_chance', 'win_cases', 'fees'] as const),
  ...(['expected_value', 'gain_over_accepting', 'had_alert', 'test'] as const),
] satisfies FactName[];
const ofBoth = [
  'amount',
  'currency',
  'reason_code',
  'liability_shift',
  'order_value',
  'delivery_status',
] satisfies FactName[];

/** The facts that rules about alerts, or about chargebacks, can compare. */
export const factsAbout = (about: RuleAbout): { value: string; label: string }[] => {
  const own: readonly string[] = [...onlyOfChargebacks, 'category'];
  if (about === 'rdr') return ofRdr.filter(isFact).map((value) => ({ value, label: facts[value].label }));
  const names =
    about === 'chargebacks'
      ? [...ofBoth, ...onlyOfChargebacks]
      : Object.keys(facts).filter((name) => !own.includes(name));
  return names.filter(isFact).map((value) => ({ value, label: facts[value].label }));
};
export const isFact = (name: string): name is FactName => name in facts;
/** A fact by the name that a dry run reports, such as `volume_count(card, 24h)`, in words. */
export const factWords = (named: string): string => {
  const [, name = named, params] = /^(\w+)(?:\((.*)\))?$/.exec(named) ?? [];
  const label = isFact(name) ? facts[name].label : name.replaceAll('_', ' ');
  return params ? `${label} (${params})` : label;
};
export const isVolume = (name: string): boolean => name === 'volume_count' || name === 'volume_sum';

export const operatorWords = {
  equal: translate('is'),
  notEqual: translate('is not'),
  in: translate('is one of'),
  notIn: translate('is none of'),
  startsWith: translate('begins with'),
  lessThan: translate('is below'),
  lessThanInclusive: translate('is at most'),
  greaterThan: translate('is above'),
  greaterThanInclusive: translate('is at least'),
} as const;
export type Operator = keyof typeof operatorWords;

const operatorsOfKind: Readonly<Record<FactKind, readonly Operator[]>> = {
  text: ['equal', 'notEqual', 'in', 'notIn', 'startsWith'],
  number: ['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive', 'equal', 'notEqual'],
  flag: ['equal'],
};

/** The values of a fact that has few, to choose one or several from; undefined for others, and where a text is typed. */
export const factChoices = (fact: string, operator: string): { value: string; label: string }[] | undefined => {
  const known = isFact(fact) ? facts[fact] : undefined;
  if (!known || !('choices' in known) || operator === 'startsWith') return undefined;
  const choices = known.choices as Readonly<Record<string, string>>;
  return Object.entries(choices).map(([value, label]) => ({ value, label }));
};

export const listOperators = (fact: string): { value: string; label: string }[] =>
  operatorsOfKind[isFact(fact) ? facts[fact].kind : 'text'].map((value) => ({ value, label: operatorWords[value] }));

/** A comparison that a new line of the builder begins with. */
export const newComparison = (fact: FactName): Comparison => {
  const kind = facts[fact].kind;
  const operator = operatorsOfKind[kind][0] ?? 'equal';
  const value = kind === 'number' ? 25 : kind === 'flag' ? true : (factChoices(fact, operator)?.[0]?.value ?? '');
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

export const toConditions = ({ group, comparisons }: Flat): Record<string, unknown> =>
  group === 'none' ? { not: { any: comparisons } } : { [group]: comparisons };
