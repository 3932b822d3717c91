import { milliseconds } from '#core/kernel/clock.ts';
import { normaliseDescriptor } from '#core/kernel/descriptor.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import type { Rule } from '#disputes/alerts/automatic/rule.ts';
import type { Facts } from '#payments/conditions/fact-values.ts';
import { comparisonsOf, type FactParams } from '../conditions.ts';

export type { Facts } from '#payments/conditions/fact-values.ts';
export { factLabel, factValue } from '#payments/conditions/fact-values.ts';

/** What facts are made of: an alert itself, or its summary in a list. */
export type FactSource = {
  provider: string;
  alert_type: string;
  amount: string;
  currency: string;
  descriptor: string;
  condition_code: string;
  card: string;
  alert_age: string;
  transaction_timestamp: string;
  alert_date: string;
  is_duplicate: 'yes' | 'no';
};

export const sourceOf = ({ providerAlert, receivedAt, duplicateOf }: Alert): FactSource => ({
  provider: providerAlert.provider,
  alert_type: providerAlert.type,
  amount: providerAlert.amount,
  currency: providerAlert.currency,
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

/** All facts of an alert except its volumes. Amounts are numbers in the currency's units. */
export const alertFactsOf = (source: FactSource): Facts => ({
  provider: source.provider,
  alert_type: source.alert_type,
  amount: Number(source.amount),
  currency: source.currency,
  descriptor: normaliseDescriptor(source.descriptor),
  reason_code: source.condition_code,
  card_bin: source.card.slice(0, 6) || null,
  alert_age: numberOrNull(source.alert_age),
  transaction_age_days: daysBetween(source.transaction_timestamp, source.alert_date),
  is_duplicate: source.is_duplicate === 'yes',
});

/** Which volumes rules ask for, each once. */
export const volumesAsked = (
  rules: readonly Pick<Rule, 'conditions'>[],
): Required<Pick<FactParams, 'of' | 'window'>>[] => {
  const asked = new Map<string, { of: string; window: string }>();
  for (const { params } of rules.flatMap(({ conditions }) => comparisonsOf(conditions))) {
    const { of, window } = params ?? {};
    if (of !== undefined && window !== undefined) asked.set(`${of} ${window}`, { of, window });
  }
  return [...asked.values()];
};
