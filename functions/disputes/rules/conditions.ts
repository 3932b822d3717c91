import { normaliseDescriptor } from '#core/kernel/descriptor.ts';
import { isFields } from '#core/kernel/is-object.ts';
import { exponentOf } from '#core/kernel/money/money.ts';
import { alertTypes } from '#disputes/providers/provider-alert.ts';
import { ruleProviders } from '#disputes/providers/providers.ts';
import {
  type ConditionGroup,
  type ConditionProblem,
  type FactParams,
  type FactType,
  readConditionsOf,
  strayKey,
} from '#payments/conditions/condition-reader.ts';
import { anyText, cardBin, currencyCode, oneWordOf } from '#payments/conditions/spelling.ts';
import { orderDeliveryStates } from '#payments/orders/dto-schemas.ts';
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

const spellings = {
  provider: oneWordOf(ruleProviders),
  alert_type: oneWordOf(alertTypes),
  currency: currencyCode,
  dispute_currency: currencyCode,
  card_bin: cardBin,
  descriptor: anyText(normaliseDescriptor),
  reason_code: anyText(),
  delivery_status: oneWordOf(orderDeliveryStates),
  programme_status: oneWordOf(['ok', 'near', 'over']),
};

const count = { min: 0, isWhole: true } as const;
const ranges = {
  amount: { min: 0 },
  dispute_amount: { min: 0 },
  order_value: { min: 0 },
  alert_age: { min: 0 },
  transaction_age_days: count,
  earlier_disputes: count,
  volume_count: count,
  volume_sum: { min: 0 },
};

/** The conditions that a caller sent for a rule about alerts, in canonical spelling; or what is wrong with them. */
export const readRuleConditions = (sent: unknown): ConditionGroup | ConditionProblem =>
  readConditionsOf({ facts: ruleFactTypes, paramsOf, spellings, ranges }, sent);
