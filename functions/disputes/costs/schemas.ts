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
import { creditReasons, creditStates } from '#disputes/alerts/cost/cost.ts';
import { CreditEvidenceDto } from '#disputes/alerts/cost/cost-schemas.ts';
import { alertTypes } from '#disputes/providers/provider-alert.ts';
import { alertProviders } from '#disputes/providers/providers.ts';
import { pricedProviders } from './price.ts';

/** The states by which credits can be listed and to which they can be set. */
export const listedCreditStates = ['claimable', 'claimed', 'granted', 'refused'] as const;

export const PriceDto = v.object({
  provider: v.pipe(v.picklist(pricedProviders), v.description('The alert provider.')),
  tier: v.pipe(v.nullable(v.string()), v.description('Null: of every tier.')),
  alert_type: v.pipe(v.nullable(v.picklist(alertTypes)), v.description('Null: of every type.')),
  price: PriceReply,
  currency: CurrencyReply,
  from: v.pipe(v.string(), v.description('From when the price applies (ISO 8601).')),
  set_at: v.pipe(v.string(), v.description('When it was set (ISO 8601, UTC).')),
  set_by: SetByReply,
});

/** A credit as lists show it. */
export const CreditSummarySchema = v.object({
  alert_id: AlertIdReply,
  mid: MerchantIdReply,
  rid: RetailerIdReply,
  sid: SiteIdReply,
  provider: v.pipe(v.picklist(alertProviders), v.description('The alert provider.')),
  provider_case_id: ProviderCaseIdReply,
  alert_type: v.pipe(
    v.picklist(alertTypes),
    v.description(
      'The type of alert: FRAUD, DISPUTE and CANCEL need an answer; the others only inform, or are already decided.',
    ),
  ),
  alert_date: AlertDateReply,
  state: v.pipe(v.picklist(creditStates), v.description('Its present state.')),
  reason: v.pipe(v.nullable(v.picklist(creditReasons)), v.description('Why.')),
  evidence: CreditEvidenceDto,
  price: v.nullable(PriceReply),
  currency: v.nullable(CurrencyReply),
  changed_at: v.pipe(v.string(), v.description('When the credit last changed (ISO 8601, UTC).')),
  changed_by: v.pipe(v.string(), v.description('Who changed it.')),
});

const Amounts = v.array(v.object({ currency: CurrencyReply, amount: AmountReply }));
const CreditFigures = v.object({
  alerts: v.pipe(v.number(), v.description('How many alerts.')),
  amounts: v.pipe(Amounts, v.description('Amounts by currency.')),
});

/** The costs and savings of alerts in a period. */
export const CostFigures = v.object({
  alerts: v.pipe(v.number(), v.description('That are paid for.')),
  spent: v.pipe(Amounts, v.description('What alerts cost.')),
  claimable: v.pipe(CreditFigures, v.description('What came to this state, less what left it.')),
  claimed: v.pipe(CreditFigures, v.description('Credits that were claimed.')),
  granted: v.pipe(CreditFigures, v.description('Credits that were granted.')),
  refused: v.pipe(CreditFigures, v.description('Credits that were refused.')),
  prevented: v.pipe(v.number(), v.description('Alerts that were resolved in time and were no credit.')),
  saved: v.pipe(Amounts, v.description('Their disputed amounts.')),
  cost_per_prevented: v.pipe(Amounts, v.description('What was spent and not granted back, for each of them.')),
});
