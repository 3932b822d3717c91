import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { outcomeStates } from '../../answer/outcome.ts';
import { alreadyChoices } from '../../automatic/actions.ts';
import { decisionResults } from '../../automatic/automatic.ts';
import { creditReasons, creditStates } from '../../cost/cost.ts';
import { CreditEvidenceDto } from '../../cost/cost-schemas.ts';
import { AlertParams, summaryFields } from '../../schemas.ts';

/** Why automatic handling did what it did. */
const DecisionDto = v.object({
  rule_id: v.number(),
  version: v.number(),
  name: v.string(),
  sid: v.pipe(v.nullable(v.number()), v.description('Null: a rule for all sites of the merchant.')),
  mode: v.picklist(['live', 'shadow']),
  action: v.object({
    type: v.picklist(['refund', 'decline', 'resolve', 'notify', 'review']),
    reason_code: v.optional(v.string()),
    comments: v.optional(v.string()),
    already: v.optional(v.picklist(alreadyChoices)),
    cancel_subscription: v.optional(v.literal(true)),
    block: v.optional(v.literal(true)),
  }),
  facts: v.pipe(
    v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()]))),
    v.description('What was known of the alert when the rule was asked.'),
  ),
  result: v.picklist(decisionResults),
  reason: v.pipe(v.nullable(v.string()), v.description('Why nothing was done; null if it was.')),
  afterwards: v.pipe(
    v.optional(v.array(v.string())),
    v.description('What else was done, such as ending a subscription, and what could not be done.'),
  ),
});

export const HistoryEntry = v.object({
  at: v.string(),
  by: v.pipe(v.string(), v.description('A username, `site 12`, `rule 7` or a provider.')),
  via: v.pipe(
    v.string(),
    v.description(
      'intake, test, assignment, update, webhook_reply, dashboard, refund, rules, outcomes, chargebacks or deadline: how the change was made.',
    ),
  ),
  change: v.object({
    event: v.string(),
    from: v.pipe(v.record(v.string(), v.unknown()), v.description('What changed, as it was before.')),
    to: v.pipe(v.record(v.string(), v.unknown()), v.description('What changed, as it was afterwards.')),
    decisions: v.optional(v.array(DecisionDto)),
  }),
});

const price = { price: v.nullable(v.string()), price_currency: v.nullable(v.string()) };
const saved = { saved: v.nullable(v.string()), saved_currency: v.nullable(v.string()) };

/** What an alert costs, whether its price can be reclaimed, and what it saved. */
const CostDto = v.object({
  ...price,
  credit: v.picklist(creditStates),
  credit_reason: v.nullable(v.picklist(creditReasons)),
  credit_evidence: CreditEvidenceDto,
  ...saved,
  entries: v.pipe(
    v.array(
      v.object({
        at: v.string(),
        by: v.string(),
        ...v.partial(v.object(price)).entries,
        credit: v.optional(v.picklist(creditStates)),
        ...v.partial(v.object(saved)).entries,
      }),
    ),
    v.description('What changed when and by whom, oldest first.'),
  ),
});

/** An alert with everything known about it. */
export const AlertDetails = v.object({
  ...summaryFields,
  duplicate_alertid: v.nullable(v.number()),
  mcc: v.string(),
  as_sent: v.pipe(
    v.nullable(v.record(v.string(), v.string())),
    v.description(
      'What the provider sent where it was read differently, under the provider’s field names; null if nothing was.',
    ),
  ),
  provider_date: v.string(),
  assigned_at: v.pipe(
    v.nullable(v.string()),
    v.description('When it was given to its site, if that was after it came in; the deadline counts from then.'),
  ),
  updated_at: v.pipe(v.nullable(v.string()), v.description('When the last update was accepted.')),
  withdrawn_at: v.pipe(v.nullable(v.string()), v.description('When the provider took the case back.')),
  alert_outcome_amount: v.nullable(v.string()),
  alert_outcome_currency: v.nullable(v.string()),
  alert_outcome_action_date: v.nullable(v.string()),
  comments: v.nullable(v.string()),
  merchant_notes: v.nullable(v.string()),
  tx_details: v.array(
    v.looseObject({
      duplicate_alertid: v.optional(v.string()),
      userid: v.optional(v.string()),
      username: v.optional(v.string()),
    }),
  ),
  unmatched_reason: v.nullable(v.picklist(['no_match', 'tie'])),
  lost: v.pipe(
    v.boolean(),
    v.description('Whether its payment was charged back after the alert arrived, and still is.'),
  ),
  chargeback_id: v.nullable(v.string()),
  automatic: v.pipe(v.nullable(DecisionDto), v.description('What an automatic rule decided.')),
  shadow_rules: v.pipe(v.array(DecisionDto), v.description('What shadow rules would have decided.')),
  provider_outcome: v.pipe(
    v.nullable(
      v.object({
        id: v.string(),
        state: v.picklist(outcomeStates),
        sent_at: v.nullable(v.string()),
        accepted_at: v.nullable(v.string()),
        attempts: v.number(),
        error: v.nullable(v.string()),
      }),
    ),
    v.description(
      'Whether the provider has been told about the last update; null: this provider is not told about updates.',
    ),
  ),
  held_txid: v.pipe(
    v.nullable(v.number()),
    v.description('The payment of yours that it is about, which is kept from other refunds while it is open.'),
  ),
  potential_txids: v.pipe(v.array(v.number()), v.description('Your payments that it can be about, if several.')),
  order_id: v.pipe(v.nullable(v.number()), v.description('The order of yours that it is about, if you keep orders.')),
  cost: v.pipe(
    v.nullable(CostDto),
    v.description('What it costs and saved; null for a test alert, and until that is known, a second or so.'),
  ),
  history: v.pipe(v.array(HistoryEntry), v.description('Oldest first; of a very long history, the newest 2 MB.')),
});

export const alertDetails = defineOperation({
  area: 'alerts',
  name: 'alert-details',
  summary: 'Show one alert with its history',
  description: 'The fields of its notification, its present state, and who changed what, when and from where.',
  method: 'POST',
  path: '/api/v3/service_alerts/alert/{alert_id}/details',
  auth: 'bearer',
  params: AlertParams,
  reply: AlertDetails,
  errors: ['alert_not_found'],
  grants: { table: ['BatchGetItem', 'Query'] },
});
