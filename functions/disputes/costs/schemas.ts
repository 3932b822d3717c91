import * as v from 'valibot';
import {
  AlertDateReply,
  AlertIdReply,
  AmountReply,
  CurrencyReply,
  MerchantIdReply,
  PriceReply,
  ProviderCaseIdReply,
  RetailerIdReply,
  SetByReply,
  SiteIdReply,
} from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, flag, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { creditReasons, creditStates } from '#disputes/alerts/cost/cost.ts';
import { CreditEvidenceDto } from '#disputes/alerts/cost/cost-schemas.ts';
import { alertTypes } from '#disputes/providers/provider-alert.ts';
import { alertProviders } from '#disputes/providers/providers.ts';
import { pricedProviders } from './price.ts';

/** The states by which credits can be listed and to which they can be set. */
export const listedCreditStates = ['claimable', 'claimed', 'granted', 'refused'] as const;

export const PriceDto = v.object({
  provider: describeField(v.picklist(pricedProviders), 'The alert provider.'),
  tier: nullableText('Null: of every tier.'),
  alert_type: describeField(v.nullable(v.picklist(alertTypes)), 'Null: of every type.'),
  price: PriceReply,
  currency: CurrencyReply,
  from: text('From when the price applies (ISO 8601).'),
  set_at: text('When it was set (ISO 8601, UTC).'),
  set_by: SetByReply,
});

/** A credit as lists show it. */
export const CreditSummarySchema = v.object({
  alert_id: AlertIdReply,
  mid: MerchantIdReply,
  rid: RetailerIdReply,
  sid: SiteIdReply,
  provider: describeField(v.picklist(alertProviders), 'The alert provider.'),
  provider_case_id: ProviderCaseIdReply,
  alert_type: describeField(
    v.picklist(alertTypes),
    'The type of alert: FRAUD, DISPUTE and CANCEL need an answer; the others only inform, or are already decided.',
  ),
  alert_date: AlertDateReply,
  state: describeField(v.picklist(creditStates), 'Its present state.'),
  reason: describeField(v.nullable(v.picklist(creditReasons)), 'Why.'),
  evidence: CreditEvidenceDto,
  price: v.nullable(PriceReply),
  currency: v.nullable(CurrencyReply),
  changed_at: text('When the credit last changed (ISO 8601, UTC).'),
  changed_by: text('Who changed it.'),
});

const Amounts = v.array(v.object({ currency: CurrencyReply, amount: AmountReply }));
const CreditFigures = v.object({
  alerts: count('How many alerts.'),
  amounts: describeField(Amounts, 'Amounts by currency.'),
});

/** The costs and savings of alerts in a period. */
export const CostFigures = v.object({
  alerts: count('That are paid for.'),
  spent: describeField(Amounts, 'What alerts cost.'),
  claimable: describeField(CreditFigures, 'What came to this state, less what left it.'),
  claimed: describeField(CreditFigures, 'Credits that were claimed.'),
  granted: describeField(CreditFigures, 'Credits that were granted.'),
  refused: describeField(CreditFigures, 'Credits that were refused.'),
  prevented: count('Alerts that were resolved in time and were no credit.'),
  saved: describeField(Amounts, 'Their disputed amounts.'),
  cost_per_prevented: describeField(Amounts, 'What was spent and not granted back, for each of them.'),
});

export const DisputeFeesReply = describeField(
  v.array(
    v.object({
      processor: nullableText('The processor; null: any that is not named.'),
      currency: CurrencyReply,
      dispute_fee: text('What a dispute costs, however it ends.'),
      counter_fee: text('What contesting it costs.'),
      counter_fee_returned: flag('Whether the fee for contesting is returned if the dispute is won.'),
    }),
  ),
  'What processors charge for chargebacks, at most one entry of a processor; empty: nothing is known.',
);
