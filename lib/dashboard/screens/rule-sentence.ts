import { type Claim, claimOfCode } from '#core/kernel/card/scheme-reasons.ts';
import { inSentence, listText, lowerFirst, translate, translateCount } from '../language/translate.ts';
import { amountText } from '../parts/money.ts';
import { stateWords } from '../parts/state-words.ts';
import { codeWords } from './reason-words.ts';
import {
  type Comparison,
  factChoices,
  facts,
  isFact,
  isVolume,
  type Operator,
  operatorWords,
  type Params,
  type RuleAbout,
  readFlat,
  type Scalar,
} from './rule-facts.ts';

/** Rules as sentences that a merchant would say. Pure. */

/** `7d` in words; a window of another form as it is. */
const windowWords = (window = ''): string => {
  const [, count, unit] = /^(\d+)([hd])$/.exec(window) ?? [];
  if (count === undefined) return window;
  return unit === 'h'
    ? translateCount(Number(count), '{count} hour', '{count} hours')
    : translateCount(Number(count), '{count} day', '{count} days');
};

const scopeWords = ({ of, window }: Params = {}): string => {
  const within = { window: windowWords(window) };
  if (of === 'card') return translate('of the card within {window}', within);
  return of === 'site'
    ? translate('of the site within {window}', within)
    : translate('of the descriptor within {window}', within);
};

/** A value as the builder names it; a reason code with its meaning. */
const valueWords = (fact: string, value: Scalar, { currency }: Params = {}): string => {
  if (currency !== undefined) return amountText(String(value), currency);
  const name = factChoices(fact, 'equal')?.find((choice) => choice.value === value)?.label;
  if (name !== undefined) return fact === 'provider' ? name : inSentence(name);
  if (fact === 'provider' || fact === 'network') return stateWords(String(value));
  const meaning = fact === 'reason_code' ? codeWords(String(value)) : undefined;
  return meaning === undefined ? String(value) : `${inSentence(meaning)} (${value})`;
};

/** Facts whose sentences begin with their verb. */
const withoutSubject: readonly string[] = ['is_duplicate', 'subscription', 'decisive_proof', 'ce3_qualified', 'test'];

const comparisonWords = ({ fact, operator, value, params }: Comparison): string => {
  const known = isFact(fact) ? facts[fact] : undefined;
  if (known && 'sentences' in known && typeof value === 'boolean' && operator === 'equal')
    return withoutSubject.includes(fact)
      ? translate('it {words}', { words: lowerFirst(known.sentences[`${value}`]) })
      : lowerFirst(known.sentences[`${value}`]);
  const label = lowerFirst(known?.label ?? fact.replaceAll('_', ' '));
  const list = listText(
    [value].flat().map((one) => valueWords(fact, one, params)),
    'disjunction',
  );
  const words = operator === 'in' ? translate('is') : (operatorWords[operator as Operator] ?? operator);
  const what = isVolume(fact) ? `${label} ${scopeWords(params)}` : label;
  return translate('the {what} {words} {list}', { what, words, list });
};

/** Conditions that are nested, in brackets; a form that the service does not accept as it is. */
const clauseWords = (condition: unknown): string => {
  if (typeof condition !== 'object' || condition === null) return String(condition);
  if ('fact' in condition) return comparisonWords(condition as Comparison);
  const [[name = '', inner] = []] = Object.entries(condition);
  if (name === 'not') return translate('not {words}', { words: clauseWords(inner) });
  const words = Array.isArray(inner) ? joinWords(inner, name === 'all') : '';
  return Array.isArray(inner) && inner.length > 1 ? `(${words})` : words;
};

const joinWords = (conditions: readonly unknown[], isAll: boolean): string =>
  conditions.map(clauseWords).join(` ${isAll ? translate('and') : translate('or')} `);

/** Conditions in words. */
export const conditionWords = (conditions: unknown): string => {
  const flat = readFlat(conditions);
  if (!flat) return clauseWords(conditions).replace(/^\((.*)\)$/, '$1');
  const words = joinWords(flat.comparisons, flat.group === 'all');
  return flat.group === 'none' ? translate('not {words}', { words }) : words;
};

const claimNouns: Readonly<Record<Claim, string>> = {
  fraud: translate('fraud|noun'),
  not_received: translate('an item not received'),
  not_as_described: translate('an item not as described'),
  cancelled: translate('a charge after a cancellation'),
  no_credit: translate('a missing refund'),
  twice: translate('a double charge'),
  other: translate('a dispute'),
};
const typeNouns: Readonly<Record<string, string>> = {
  DISPUTE: translate('a dispute'),
  FRAUD: translate('fraud|noun'),
  CANCEL: translate('a cancellation'),
};
const wholeNouns: Readonly<Record<RuleAbout, string>> = {
  alerts: translate('an alert'),
  chargebacks: translate('a chargeback'),
  warnings: translate('an early fraud warning'),
  rdr: translate('a dispute'),
};

/** The noun for one value of a fact that says what is disputed; undefined for all others. */
const nounFor = (fact: string, value: Scalar): string | undefined => {
  if (fact === 'alert_type') return typeNouns[String(value)];
  if (fact === 'claim') return claimNouns[value as Claim];
  const claim = fact === 'reason_code' ? claimOfCode(String(value)) : undefined;
  return claim && claim !== 'other' ? `${claimNouns[claim]} (${value})` : undefined;
};

const isOneOf = ({ operator }: Comparison): boolean => operator === 'equal' || operator === 'in';

const nounsFor = (comparison: Comparison): readonly string[] | undefined => {
  const nouns = [comparison.value].flat().map((value) => nounFor(comparison.fact, value));
  return isOneOf(comparison) && nouns.length > 0 && nouns.every((noun) => noun !== undefined) ? nouns : undefined;
};

/** An amount behind what it belongs to. */
const amountPhrase = ({ fact, operator, value, params }: Comparison): string | undefined => {
  if (fact !== 'amount' || Array.isArray(value) || params?.currency === undefined) return undefined;
  const amount = amountText(String(value), params.currency);
  if (operator === 'lessThanInclusive') return translate('of up to {amount}', { amount });
  if (operator === 'lessThan') return translate('below {amount}', { amount });
  if (operator === 'greaterThanInclusive') return translate('of at least {amount}', { amount });
  return operator === 'greaterThan' ? translate('above {amount}', { amount }) : undefined;
};

/** The descriptors that it is about, behind the amount. */
const descriptorPhrase = (one: Comparison | undefined): string | undefined =>
  one && translate('for {name}', { name: listText([one.value].flat().map(String), 'disjunction') });

const isNetwork = (one: Comparison): boolean => one.fact === (isOneOf(one) ? 'provider' : '');

/** The beginning of the sentence: who reports what, of which amount; and the conditions that it does not say. */
const splitHead = (comparisons: readonly Comparison[], about: RuleAbout): { head: string; rest: Comparison[] } => {
  const what = comparisons.find((one) => nounsFor(one));
  const money = comparisons.find((one) => amountPhrase(one));
  const network = comparisons.find(isNetwork);
  const shop = comparisons.find((one) => one.fact === 'descriptor' && isOneOf(one));
  const noun = what ? listText(nounsFor(what) ?? [], 'disjunction') : wholeNouns[about];
  const whole = [noun, money && amountPhrase(money), descriptorPhrase(shop)].filter(Boolean).join(' ');
  return {
    head: network
      ? translate('{network} reports {what}', {
          network: listText(
            [network.value].flat().map((one) => valueWords('provider', one)),
            'disjunction',
          ),
          what: whole,
        })
      : translate('{what} arrives', { what: whole }),
    rest: comparisons.filter((one) => one !== what && one !== money && one !== network && one !== shop),
  };
};

type Sentence = { conditions: unknown; action: string; about?: RuleAbout; providers?: readonly string[] };

/** The networks of a rule as a condition; none where it is about all of them. */
const networkCondition = (providers: readonly string[] = []): Comparison[] =>
  providers.length > 0 && providers.length < Object.keys(facts.provider.choices).length
    ? [{ fact: 'provider', operator: 'in', value: [...providers] }]
    : [];

/** When a rule applies and what it then does: `When a dispute of up to $25 arrives, refund it.` */
export const ruleSentence = ({ conditions, action, about = 'alerts', providers }: Sentence): string => {
  const flat = readFlat(conditions);
  const isAll = flat?.group === 'all';
  const networks = networkCondition(providers);
  const { head, rest } = splitHead([...networks, ...(isAll ? flat.comparisons : [])], about);
  if (isAll && rest.length === 0) return translate('When {head}, {action}.', { head, action });
  if (flat?.group === 'none')
    return translate('When {head}, unless {clauses}: {action}.', {
      ...{ head, action },
      clauses: joinWords(flat.comparisons, false),
    });
  const clauses = isAll ? joinWords(rest, true) : conditionWords(conditions);
  return translate('When {head} and {clauses}, {action}.', { head, clauses, action });
};
