import { normaliseDescriptor } from '#core/kernel/descriptor.ts';
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
import { isWindow, volumeScopes } from './volume/volume.ts';

export type {
  Comparison,
  Condition,
  ConditionGroup,
  FactParams,
  Scalar,
} from '#payments/conditions/condition-reader.ts';
export { comparisonsOf, limits } from '#payments/conditions/condition-reader.ts';

/** Every fact that a condition can ask for, with its type. */
export const ruleFactTypes: ReadonlyMap<string, FactType> = new Map([
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
  ['dispute_amount', 'number'],
  ['dispute_currency', 'text'],
  ['earlier_disputes', 'number'],
  ['liability_shift', 'flag'],
  ['order_value', 'number'],
  ['delivery_status', 'text'],
  ['subscription', 'flag'],
  ['margin_over_price', 'number'],
  ['programme_status', 'text'],
  ['volume_count', 'number'],
  ['volume_sum', 'number'],
]);

/** Volumes require what to count and the window; an amount may name a currency, and is unknown in any other. */
const paramsOf = (fact: string, sent: unknown): { params?: FactParams } | ConditionProblem => {
  const isVolume = fact === 'volume_count' || fact === 'volume_sum';
  if (sent === undefined && !isVolume) return {};
  if (!isFields(sent)) return { problem: isVolume ? 'must have of and window' : 'must be an object' };
  const { of, window, currency } = sent;
  const stray = strayKey(sent, isVolume ? ['of', 'window'] : fact === 'amount' ? ['currency'] : []);
  if (stray !== undefined) return { problem: `${fact} does not accept these params` };
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

/** The conditions that a caller sent for a rule about alerts, with descriptors in canonical form; or what is wrong with them. */
export const readRuleConditions = (sent: unknown): ConditionGroup | ConditionProblem =>
  readConditionsOf(
    {
      facts: ruleFactTypes,
      paramsOf,
      spell: (fact, text) => (fact === 'descriptor' ? normaliseDescriptor(text) : text),
    },
    sent,
  );
