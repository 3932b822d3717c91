import * as v from 'valibot';
import { creditReasons, creditStates } from '#disputes/alerts/cost/cost.ts';
import { CreditEvidenceDto } from '#disputes/alerts/cost/cost-schemas.ts';
import { alertTypes } from '#disputes/providers/provider-alert.ts';
import { alertProviders } from '#disputes/providers/providers.ts';
import { pricedProviders } from './price.ts';

/** The states by which credits can be listed and to which they can be set. */
export const listedCreditStates = ['claimable', 'claimed', 'granted', 'refused'] as const;

export const PriceDto = v.object({
  provider: v.picklist(pricedProviders),
  tier: v.pipe(v.nullable(v.string()), v.description('Null: of every tier.')),
  alert_type: v.pipe(v.nullable(v.picklist(alertTypes)), v.description('Null: of every type.')),
  price: v.string(),
  currency: v.string(),
  from: v.string(),
  set_at: v.string(),
  set_by: v.string(),
});

/** A credit as lists show it. */
export const CreditSummary = v.object({
  alert_id: v.number(),
  mid: v.number(),
  rid: v.number(),
  sid: v.number(),
  provider: v.picklist(alertProviders),
  provider_case_id: v.string(),
  alert_type: v.picklist(alertTypes),
  alert_date: v.string(),
  state: v.picklist(creditStates),
  reason: v.nullable(v.picklist(creditReasons)),
  evidence: CreditEvidenceDto,
  price: v.nullable(v.string()),
  currency: v.nullable(v.string()),
  changed_at: v.string(),
  changed_by: v.string(),
});

const Amounts = v.array(v.object({ currency: v.string(), amount: v.string() }));
const CreditFigures = v.object({ alerts: v.number(), amounts: Amounts });

/** What alerts cost and saved in a span. */
export const CostFigures = v.object({
  alerts: v.pipe(v.number(), v.description('That are paid for.')),
  spent: Amounts,
  claimable: v.pipe(CreditFigures, v.description('What came to this state, less what left it.')),
  claimed: CreditFigures,
  granted: CreditFigures,
  refused: CreditFigures,
  prevented: v.pipe(v.number(), v.description('Alerts that were resolved in time and were no credit.')),
  saved: v.pipe(Amounts, v.description('Their disputed amounts.')),
  cost_per_prevented: v.pipe(Amounts, v.description('What was spent and not granted back, for each of them.')),
});
