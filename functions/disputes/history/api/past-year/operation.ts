import * as v from 'valibot';
import { CurrencyReply, SiteIdField } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, text } from '#core/kernel/schema/field-words.ts';
import { FromTime, WholeNumber } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ChargebackCost, Cost } from '#disputes/rules/assumed-cost-schemas.ts';
import { DraftRules } from '#disputes/rules/schemas.ts';

export const PastYearBody = v.object({
  sid: describeField(SiteIdField, 'The alert site whose rules and limits decide.'),
  from: describeField(v.optional(FromTime), 'The beginning, inclusive (ISO 8601); absent: a year ago.'),
  to: describeField(v.optional(FromTime), 'The end, exclusive (ISO 8601); absent: now.'),
  rules: describeField(
    v.optional(DraftRules),
    "Rules to try in place of the site's, in order; absent: the rules of today.",
  ),
  caught_percent: describeField(
    v.optional(WholeNumber(1, 100), 60),
    'The share of disputes for which an alert is assumed to have come in time, in percent.',
  ),
  chargeback_cost: v.optional(ChargebackCost, { amount: '15.00', currency: 'USD' }),
  alert_price: describeField(
    v.optional(Cost),
    "What an alert is assumed to cost; absent: the merchant's price for provider_a, if one is set.",
  ),
});

const Count = (words: string) => count(words);
const Amount = v.object({
  amount: text('A decimal with as many places as the currency has.'),
  currency: CurrencyReply,
});

export const PastYearReply = v.object({
  from: text('The beginning, inclusive (ISO 8601, UTC).'),
  to: text('The end, exclusive (ISO 8601, UTC).'),
  assumptions: describeField(v.array(v.string()), 'Everything that the estimate assumes, in sentences.'),
  disputes: Count('Imported disputes of that time.'),
  alerts: Count('Alerts that would have come, by the assumed share.'),
  would: describeField(
    v.object({
      refund: Count('Alerts that a rule would have refunded.'),
      resolve: Count('Alerts that a rule would have answered as resolved.'),
      decline: Count('Alerts that a rule would have declined.'),
      notify: Count('Alerts that a rule would only have reported.'),
      review: Count('Alerts that a rule would have put before a person.'),
      leave_to_merchant: Count('Alerts whose refund a limit would have prevented.'),
      undecided: Count('Alerts that no rule decides.'),
    }),
    'What the rules would have done with these alerts.',
  ),
  avoided: Count('Chargebacks that would have been avoided: by refunds, and by answers that the matter is resolved.'),
  totals: describeField(
    v.array(
      v.object({
        currency: CurrencyReply,
        refunded: text('What the refunds would have cost.'),
        saved: text('Amounts not charged back, and chargebacks not paid for.'),
      }),
    ),
    'What the refunds would have cost and saved, by currency.',
  ),
  alert_cost: describeField(v.nullable(Amount), 'What the alerts would have cost; null: no price is known.'),
  months: describeField(
    v.array(
      v.object({
        month: text('The month, `2026-05`.'),
        disputes: Count('Disputes that came up in it.'),
        avoided: Count('Chargebacks that would have been avoided.'),
      }),
    ),
    'Month by month, the oldest first.',
  ),
});

export const pastYearOperation = defineOperation('history/past-year', {
  summary: 'Estimate what alerts and rules would have saved before there were alerts',
  description:
    'Takes the disputes that imports have found, as if an alert had announced each of a share of them, and tries the rules on these ' +
    'alerts. The reply states every assumption. Nothing is changed.',
  method: 'POST',
  path: '/api/v3/service_alerts/rules/past-year',
  auth: 'bearer',
  permission: 'settings:read',
  siteKeys: 'named',
  body: PastYearBody,
  reply: PastYearReply,
  errors: ['site_not_found', 'site_not_for_alerts'],
  grants: { table: ['GetItem', 'BatchGetItem', 'Query'] },
  memoryMegabytes: 512,
});
