import { exponentOf } from '../core/money.ts';
import {
  type Conditions,
  type FactParams,
  type FactType,
  isObject,
  type Problem,
  readConditionsOf,
  strayKey,
} from '../rules/condition-reader.ts';
import { velocityScopes, velocityWindows } from './velocity.ts';

/** Every fact that a rule of a fraud template can ask for, and of what type it is. */
export const factTypes: ReadonlyMap<string, FactType> = new Map([
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
  ['is_first_transaction', 'flag'],
  ['scorer_score', 'number'],
  ['velocity_count', 'number'],
  ['velocity_sum', 'number'],
]);

const upperCased = ['currency', 'card_scheme', 'bin_country', 'country', 'shipping_country'];

const paramsOf = (fact: string, sent: unknown): { params?: FactParams } | Problem => {
  const isVelocity = fact === 'velocity_count' || fact === 'velocity_sum';
  if (sent === undefined && !isVelocity) return {};
  if (!isObject(sent)) return { problem: isVelocity ? 'must have of and window' : 'must be an object' };
  const stray = strayKey(sent, isVelocity ? ['of', 'window'] : fact === 'amount' ? ['currency'] : []);
  if (stray !== undefined) return { problem: `${fact} takes no such params` };
  const { of, window, currency } = sent;
  if (!isVelocity) {
    const isKnown = typeof currency === 'string' && exponentOf(currency) !== undefined;
    return isKnown ? { params: { currency } } : { problem: 'currency must be a currency code of ISO 4217' };
  }
  const scope = velocityScopes.find((one) => one === of);
  if (!scope) return { problem: `of must be one of ${velocityScopes.join(', ')}` };
  const windows = Object.keys(velocityWindows);
  if (typeof window !== 'string' || !windows.includes(window)) {
    return { problem: `window must be one of ${windows.join(', ')}` };
  }
  return { params: { of: scope, window } };
};

const spell = (fact: string, text: string): string => {
  if (upperCased.includes(fact)) return text.toUpperCase();
  return fact === 'email_domain' ? text.toLowerCase() : text;
};

/** What was sent as conditions of a template's rule, codes and domains in the one spelling; or what is wrong with it. */
export const readConditions = (sent: unknown): Conditions | Problem =>
  readConditionsOf({ facts: factTypes, paramsOf, spell }, sent);
