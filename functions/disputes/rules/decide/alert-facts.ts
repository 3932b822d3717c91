import { milliseconds } from '#core/kernel/clock.ts';
import { normaliseDescriptor } from '#core/kernel/descriptor.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import type { Rule } from '#disputes/alerts/automatic/rule.ts';
import { type Facts, factLabel } from '#payments/conditions/fact-values.ts';
import { type FactParams, flatten } from '../conditions.ts';

export type { Facts } from '#payments/conditions/fact-values.ts';
export { factLabel, factValue } from '#payments/conditions/fact-values.ts';

/** The source of facts: an alert itself, or its summary in a list. */
export type FactSource = {
  provider: string;
  alert_type: string;
  amount: string;
  currency: string;
  /** Empty if the provider names only the transaction's. */
  dispute_amount: string;
  dispute_currency: string;
  descriptor: string;
  condition_code: string;
  card: string;
  alert_age: string;
  transaction_timestamp: string;
  alert_date: string;
  is_duplicate: 'yes' | 'no';
};

export const toSource = ({ providerAlert, receivedAt, duplicateOf }: Alert): FactSource => ({
  provider: providerAlert.provider,
  alert_type: providerAlert.type,
  amount: providerAlert.amount,
  currency: providerAlert.currency,
  dispute_amount: providerAlert.disputeAmount,
  dispute_currency: providerAlert.disputeCurrency,
  descriptor: providerAlert.descriptor,
  condition_code: providerAlert.conditionCode,
  card: providerAlert.card,
  alert_age: providerAlert.age,
  transaction_timestamp: providerAlert.transactionAt,
  alert_date: receivedAt,
  is_duplicate: duplicateOf === null ? 'no' : 'yes',
});

const numberOrNull = (text: string): number | null => (/^\d{1,9}(?:\.\d{1,4})?$/.test(text) ? Number(text) : null);

const daysBetween = (from: string, to: string): number | null => {
  const span = Date.parse(to) - Date.parse(from);
  return Number.isNaN(span) ? null : Math.max(0, Math.floor(span / milliseconds.day));
};

/** The facts that an alert itself states. Amounts are numbers in the currency's units. */
export const alertFactsOf = (source: FactSource): Facts => ({
  provider: source.provider,
  alert_type: source.alert_type,
  amount: Number(source.amount),
  currency: source.currency,
  dispute_amount: Number(source.dispute_amount || source.amount),
  dispute_currency: source.dispute_currency || source.currency,
  descriptor: normaliseDescriptor(source.descriptor),
  reason_code: source.condition_code,
  card_bin: source.card.slice(0, 6) || null,
  alert_age: numberOrNull(source.alert_age),
  transaction_age_days: daysBetween(source.transaction_timestamp, source.alert_date),
  is_duplicate: source.is_duplicate === 'yes',
});

/** The facts of an alert's dispute case that are read only for rules that ask for them. */
export const caseFactNames = [
  'liability_shift',
  'order_value',
  'delivery_status',
  'subscription',
  'margin_over_price',
  'programme_status',
] as const;
export type CaseFactName = (typeof caseFactNames)[number];

const factsUsed = (rules: readonly Pick<Rule, 'conditions'>[]): Set<string> =>
  new Set(rules.flatMap(({ conditions }) => flatten(conditions)).map(({ fact }) => fact));

/** Which facts of the case rules ask for. */
export const caseFactsAsked = (rules: readonly Pick<Rule, 'conditions'>[]): CaseFactName[] => {
  const used = factsUsed(rules);
  return caseFactNames.filter((name) => used.has(name));
};

const cardWindow = { of: 'card', window: '30d' };

/**
 * Returns the number of alerts of the card in the 30 days before this one, from the volume of its card. Of duplicates, only the first alert
 * counts. `isCounted`: the volume includes this one, which is so of all but warnings.
 */
export const earlierDisputesOf = (facts: Facts, isCounted = true): Facts => {
  const count = facts[factLabel('volume_count', cardWindow)];
  return typeof count === 'number' ? { earlier_disputes: Math.max(0, count - (isCounted ? 1 : 0)) } : {};
};

/** Which volumes rules ask for, each once. */
export const volumesAsked = (
  rules: readonly Pick<Rule, 'conditions'>[],
): Required<Pick<FactParams, 'of' | 'window'>>[] => {
  const asked = new Map<string, { of: string; window: string }>();
  if (factsUsed(rules).has('earlier_disputes')) asked.set(`${cardWindow.of} ${cardWindow.window}`, cardWindow);
  for (const { params } of rules.flatMap(({ conditions }) => flatten(conditions))) {
    const { of, window } = params ?? {};
    if (of !== undefined && window !== undefined) asked.set(`${of} ${window}`, { of, window });
  }
  return [...asked.values()];
};
