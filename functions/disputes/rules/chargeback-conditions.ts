import { claimNames } from '#core/kernel/card/scheme-reasons.ts';
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
import { anyText, currencyCode, oneWordOf } from '#payments/conditions/spelling.ts';
import { orderDeliveryStates } from '#payments/orders/dto-schemas.ts';
import { disputeStages } from '#payments/processors/ports/dispute.ts';
import { allProcessorNames } from '#payments/processors/ports/processors.ts';

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

const paramsOf = (fact: string, sent: unknown): { params?: FactParams } | ConditionProblem => {
  if (sent === undefined) return {};
  if (!isFields(sent) || fact !== 'amount' || strayKey(sent, ['currency']) !== undefined)
    return { problem: `${fact} does not accept these params` };
  const { currency } = sent;
  const isKnown = typeof currency === 'string' && exponentOf(currency) !== undefined;
  return isKnown ? { params: { currency } } : { problem: 'currency must be a currency code of ISO 4217' };
};

const spellings = {
  processor: oneWordOf(allProcessorNames),
  network: anyText(),
  reason_code: anyText(),
  claim: oneWordOf(claimNames),
  stage: oneWordOf(disputeStages),
  currency: currencyCode,
  delivery_status: oneWordOf(orderDeliveryStates),
};

const count = { min: 0, isWhole: true } as const;
const ranges = {
  ...{ amount: { min: 0 }, order_value: { min: 0 }, fees: { min: 0 } },
  ...{ days_open: count, proofs: count, files: count, win_cases: count },
  win_chance: { min: 0, max: 100 },
};

/** The conditions that a caller sent for a rule about chargebacks, in canonical spelling; or what is wrong with them. */
export const readChargebackConditions = (sent: unknown): ConditionGroup | ConditionProblem =>
  readConditionsOf({ facts: chargebackFactTypes, paramsOf, spellings, ranges }, sent);
