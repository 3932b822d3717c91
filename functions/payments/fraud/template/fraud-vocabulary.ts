import { schemes } from '#core/kernel/card/schemes.ts';
import { isFields } from '#core/kernel/is-object.ts';
import { exponentOf } from '#core/kernel/money/money.ts';
import {
  type ConditionGroup,
  type ConditionProblem,
  type FactParams,
  type FactType,
  readConditionsOf,
  strayKey,
} from '#payments/conditions/condition-reader.ts';
import { anyText, cardBin, countryCode, currencyCode, oneWordOf } from '#payments/conditions/spelling.ts';
import { listScopes } from '../lists/lists.ts';
import { velocityScopes, velocityWindows } from '../velocity/velocity.ts';

/** Every fact that a rule of a fraud template can ask for, with its type. */
export const fraudFactTypes: ReadonlyMap<string, FactType> = new Map([
  ['amount', 'number'],
  ['currency', 'text'],
  ['card_scheme', 'text'],
  ['card_bin', 'text'],
  ['bin_country', 'text'],
  ['country', 'text'],
  ['shipping_country', 'text'],
  ['bin_country_differs', 'flag'],
  ['shipping_country_differs', 'flag'],
  ['email_domain', 'text'],
  ['hour', 'number'],
  ['three_ds_source', 'text'],
  ['is_first_transaction', 'flag'],
  ['scorer_score', 'number'],
  ['velocity_count', 'number'],
  ['velocity_sum', 'number'],
  ['watched', 'flag'],
]);

type ReadParams = { params?: FactParams } | ConditionProblem;

const amountParams = ({ currency }: Record<string, unknown>): ReadParams => {
  const isKnown = typeof currency === 'string' && exponentOf(currency) !== undefined;
  return isKnown ? { params: { currency } } : { problem: 'currency must be a currency code of ISO 4217' };
};

const velocityParams = ({ of, window }: Record<string, unknown>): ReadParams => {
  const scope = velocityScopes.find((one) => one === of);
  if (!scope) return { problem: `of must be one of ${velocityScopes.join(', ')}` };
  const windows = Object.keys(velocityWindows);
  if (typeof window !== 'string' || !windows.includes(window)) {
    return { problem: `window must be one of ${windows.join(', ')}` };
  }
  return { params: { of: scope, window } };
};

const watchedParams = ({ of }: Record<string, unknown>): ReadParams => {
  const scope = listScopes.find((one) => one === of);
  return scope ? { params: { of: scope } } : { problem: `of must be one of ${listScopes.join(', ')}` };
};

type Params = { names: readonly string[]; required: boolean; read: (sent: Record<string, unknown>) => ReadParams };
const velocity: Params = { names: ['of', 'window'], required: true, read: velocityParams };
const paramsByFact: ReadonlyMap<string, Params> = new Map([
  ['amount', { names: ['currency'], required: false, read: amountParams }],
  ['velocity_count', velocity],
  ['velocity_sum', velocity],
  ['watched', { names: ['of'], required: true, read: watchedParams }],
]);
const noParams: Params = { names: [], required: false, read: () => ({}) };

const readParams = (fact: string, sent: unknown): ReadParams => {
  const { names, required, read } = paramsByFact.get(fact) ?? noParams;
  if (sent === undefined && !required) return {};
  if (!isFields(sent)) return { problem: required ? `must have ${names.join(' and ')}` : 'must be an object' };
  return strayKey(sent, names) === undefined ? read(sent) : { problem: `${fact} does not accept these params` };
};

const spellings = {
  currency: currencyCode,
  card_scheme: oneWordOf(schemes),
  card_bin: cardBin,
  bin_country: countryCode,
  country: countryCode,
  shipping_country: countryCode,
  email_domain: anyText((text) => text.trim().toLowerCase()),
  three_ds_source: oneWordOf(['verified', 'merchant', 'none']),
};

const ranges = {
  amount: { min: 0 },
  hour: { min: 0, max: 23, isWhole: true },
  scorer_score: { min: 0 },
  velocity_count: { min: 0, isWhole: true },
  velocity_sum: { min: 0 },
} as const;

/** The conditions sent for a template's rule, with codes and domains in canonical form; or what is wrong with them. */
export const readFraudConditions = (sent: unknown): ConditionGroup | ConditionProblem =>
  readConditionsOf({ facts: fraudFactTypes, readParams, spellings, ranges }, sent);
