import { claimNames, codeAlone } from '#core/kernel/card/scheme-reasons.ts';
import { networkNamed } from '#core/kernel/card/schemes.ts';
import { normaliseDescriptor } from '#core/kernel/descriptor.ts';
import { isFields } from '#core/kernel/is-object.ts';
import { exponentOf } from '#core/kernel/money/money.ts';
import type { RuleSubject } from '#disputes/alerts/automatic/rule.ts';
import { alertTypes } from '#disputes/providers/provider-alert.ts';
import { alertProviders, ruleProviders } from '#disputes/providers/providers.ts';
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
import { disputeStages } from '#payments/processors/ports/dispute.ts';
import { allProcessorNames } from '#payments/processors/ports/processors.ts';
import { isWindow, volumeScopes } from './volume/volume.ts';

export type {
  Comparison,
  Condition,
  ConditionGroup,
  FactParams,
  Scalar,
} from '#payments/conditions/condition-reader.ts';
export { flatten, limits } from '#payments/conditions/condition-reader.ts';

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

/** Every fact that a condition of a rule about chargebacks can compare, with its type. Amounts are in the chargeback's currency. */
export const chargebackFactTypes: ReadonlyMap<string, FactType> = new Map([
  ['processor', 'text'],
  ['network', 'text'],
  ['reason_code', 'text'],
  ['claim', 'text'],
  ['stage', 'text'],
  ['amount', 'number'],
  ['currency', 'text'],
  ['test', 'flag'],
  ['had_alert', 'flag'],
  ['days_open', 'number'],
  ['hours_to_due', 'number'],
  ['decisive_proof', 'flag'],
  ['proofs', 'number'],
  ['files', 'number'],
  ['ce3_qualified', 'flag'],
  ['liability_shift', 'flag'],
  ['order_value', 'number'],
  ['delivery_status', 'text'],
  ['shipped', 'flag'],
  ['delivered', 'flag'],
  ['win_chance', 'number'],
  ['win_cases', 'number'],
  ['fees', 'number'],
  ['expected_value', 'number'],
  ['gain_over_accepting', 'number'],
]);

/** The facts of a Visa dispute before it is raised. `category`: of Visa's condition, 10 to 13. */
const rdrFactTypes: ReadonlyMap<string, FactType> = new Map([
  ['amount', 'number'],
  ['currency', 'text'],
  ['reason_code', 'text'],
  ['category', 'text'],
  ['claim', 'text'],
]);

/** The facts that rules about a subject may compare; those about warnings have the facts of alerts. */
export const factTypesOf = (about: RuleSubject = 'alerts'): ReadonlyMap<string, FactType> => readers[about].facts;

/** Volumes require what to count and the window; an amount may name a currency, and is unknown in any other. */
const readParams = (fact: string, sent: unknown): { params?: FactParams } | ConditionProblem => {
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

const common = { currency: currencyCode, reason_code: anyText(), delivery_status: oneWordOf(orderDeliveryStates) };

const spellings = {
  ...common,
  provider: oneWordOf(ruleProviders),
  alert_type: oneWordOf(alertTypes),
  dispute_currency: currencyCode,
  card_bin: cardBin,
  descriptor: anyText(normaliseDescriptor),
  programme_status: oneWordOf(['ok', 'near', 'over']),
};

const chargebackSpellings = {
  ...common,
  reason_code: anyText(codeAlone),
  processor: oneWordOf(allProcessorNames),
  network: anyText(networkNamed),
  claim: oneWordOf(claimNames),
  stage: oneWordOf(disputeStages),
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

const chargebackRanges = {
  ...{ amount: { min: 0 }, order_value: { min: 0 }, fees: { min: 0 } },
  ...{ days_open: count, proofs: count, files: count, win_cases: count },
  win_chance: { min: 0, max: 100 },
};

const readers = {
  alerts: { facts: ruleFactTypes, readParams, spellings, ranges },
  warnings: {
    facts: ruleFactTypes,
    readParams,
    spellings: { ...spellings, provider: oneWordOf(alertProviders) },
    ranges,
  },
  chargebacks: {
    facts: chargebackFactTypes,
    readParams,
    spellings: chargebackSpellings,
    ranges: chargebackRanges,
  },
  rdr: {
    facts: rdrFactTypes,
    readParams,
    spellings: {
      ...{ currency: currencyCode, reason_code: anyText(codeAlone), claim: oneWordOf(claimNames) },
      category: oneWordOf(['10', '11', '12', '13']),
    },
    ranges: { amount: { min: 0 } },
  },
} as const satisfies Record<RuleSubject, Parameters<typeof readConditionsOf>[0]>;

/** The conditions that a caller sent for a rule, in canonical spelling; or what is wrong with them. */
export const readRuleConditions = (sent: unknown, about: RuleSubject = 'alerts'): ConditionGroup | ConditionProblem =>
  readConditionsOf(readers[about], sent);
