import * as v from 'valibot';
import {
  AlertDateReply,
  AlertIdReply,
  AtReply,
  ByReply,
  ChargebackIdReply,
  CommentsReply,
  PlainNameReply,
  PriceReply,
  ProviderCaseIdReply,
  ReasonCodeReply,
  RuleIdReply,
} from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, flag, nullableCount, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { MatchEvidenceReply } from '#disputes/matching/schemas.ts';
import { alertTypes } from '#disputes/providers/provider-alert.ts';
import { alertProviders } from '#disputes/providers/providers.ts';
import { alertStatuses } from '../../alert.ts';
import { outcomeStates } from '../../answer/network-outcome.ts';
import { alreadyChoices } from '../../automatic/actions.ts';
import { decisionResults } from '../../automatic/automatic.ts';
import { disputeCaseStates, refunders } from '../../case/dispute-case.ts';
import { creditReasons, creditStates } from '../../cost/cost.ts';
import { CreditEvidenceDto } from '../../cost/cost-schemas.ts';
import { answeredFields, DuplicateAlertidReply, handledFields } from '../../field-schemas.ts';
import { AlertParams, alertSummaryFields } from '../../schemas.ts';

/** Why automatic handling did what it did. */
const DecisionDto = v.object({
  rule_id: RuleIdReply,
  version: count('The rule’s version.'),
  name: PlainNameReply,
  sid: nullableCount('Null: a rule for all sites of the merchant.'),
  mode: describeField(
    v.picklist(['live', 'shadow']),
    '`live` decides; `shadow` only records what it would have decided.',
  ),
  action: describeField(
    v.object({
      type: describeField(
        v.picklist(['refund', 'decline', 'resolve', 'notify', 'review']),
        'What is done when it matches.',
      ),
      reason_code: v.optional(ReasonCodeReply),
      comments: v.optional(CommentsReply),
      already: describeField(
        v.optional(v.picklist(alreadyChoices)),
        'What the rule does with a payment that is refunded or charged back already.',
      ),
      cancel_subscription: describeField(
        v.optional(v.literal(true)),
        'Whether the subscription that the charge came from is ended, too.',
      ),
      block: describeField(
        v.optional(v.literal(true)),
        'Whether the card and the e-mail address are added to the block lists, too.',
      ),
      hold_order: describeField(v.optional(v.literal(true)), 'Whether the order is held in its shop, too.'),
    }),
    'What the rule does.',
  ),
  facts: describeField(
    v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()]))),
    'What was known of the alert when the rule was asked.',
  ),
  result: describeField(v.picklist(decisionResults), 'What came of it.'),
  reason: nullableText('Why nothing was done; null if it was.'),
  match: describeField(
    v.optional(MatchEvidenceReply),
    'How well the transaction that was found fits the alert; absent if none was found.',
  ),
  afterwards: describeField(
    v.optional(v.array(v.string())),
    'What else was done, such as ending a subscription, and what could not be done.',
  ),
});

export const HistoryEntrySchema = v.object({
  at: AtReply,
  by: text('A username, `site 12`, `rule 7` or a provider.'),
  via: text(
    'intake, test, assignment, update, webhook_reply, dashboard, refund, rules, outcomes, chargebacks or deadline: how the change was made.',
  ),
  change: describeField(
    v.object({
      event: text('What happened.'),
      from: describeField(v.record(v.string(), v.unknown()), 'What changed, as it was before.'),
      to: describeField(v.record(v.string(), v.unknown()), 'What changed, as it was afterwards.'),
      decisions: describeField(v.optional(v.array(DecisionDto)), 'What each rule that was asked said.'),
    }),
    'What changed, from what to what.',
  ),
});

const price = {
  price: v.nullable(PriceReply),
  price_currency: nullableText('The currency of the price (ISO 4217).'),
};
const saved = {
  saved: nullableText('The disputed amount that the answer saved.'),
  saved_currency: nullableText('The currency of what was saved (ISO 4217).'),
};

/** The cost of an alert, whether its price can be reclaimed, and its saving. */
const CostDto = v.object({
  ...price,
  credit: describeField(
    v.picklist(creditStates),
    'Whether its price can be claimed back: none, claimable, claimed, granted or refused.',
  ),
  credit_reason: describeField(v.nullable(v.picklist(creditReasons)), 'Why its price can be claimed back.'),
  credit_evidence: CreditEvidenceDto,
  ...saved,
  entries: describeField(
    v.array(
      v.object({
        at: AtReply,
        by: ByReply,
        ...v.partial(v.object(price)).entries,
        credit: describeField(
          v.optional(v.picklist(creditStates)),
          'Whether its price can be claimed back: none, claimable, claimed, granted or refused.',
        ),
        ...v.partial(v.object(saved)).entries,
      }),
    ),
    'What changed when and by whom, oldest first.',
  ),
});

/** Everything known about the disputed payment, of all its alerts. */
const CaseDto = v.object({
  case_id: count('The number of the first alert about the payment.'),
  state: describeField(
    v.picklist(disputeCaseStates),
    'The last of these that applies: informed, withdrawn, answered (without a refund), open, in_progress, refunded, charged_back.',
  ),
  suggested_reason: describeField(
    v.nullable(v.picklist(['940', '951', '952'])),
    'The reason code that the known facts suggest for this alert: 940 duplicate, 951 refunded before, 952 charged back before.',
  ),
  alerts: describeField(
    v.array(
      v.object({
        alert_id: AlertIdReply,
        provider: describeField(v.picklist(alertProviders), 'The alert provider.'),
        provider_case_id: ProviderCaseIdReply,
        alert_type: describeField(v.picklist(alertTypes), 'The type of alert.'),
        status: describeField(v.picklist(alertStatuses), 'The status of the alert.'),
        duplicate_alertid: v.nullable(DuplicateAlertidReply),
        sequence: nullableCount('The provider’s count of its last message; null: none.'),
        provider_date: text('When the provider made the alert.'),
        alert_date: AlertDateReply,
        withdrawn_at: nullableText('When the provider took the case back.'),
        credit: describeField(
          v.nullable(v.picklist(creditStates)),
          'Whether its price can be claimed back; null: it costs nothing, or that is not known yet.',
        ),
      }),
    ),
    'The alerts of all networks about the payment, oldest first; at most 20.',
  ),
  txid: nullableCount('The payment taken here that is held for one of them.'),
  refunds: describeField(
    v.array(
      v.object({
        alert_id: AlertIdReply,
        by: describeField(
          v.picklist(refunders),
          'Who made it: forewarn, network, or merchant if only an answer says so.',
        ),
        at: nullableText('When it was made; null if that is not known.'),
        amount: nullableText('How much; null if that is not known.'),
        currency: nullableText('ISO 4217, three letters.'),
        txid: nullableCount('The refund’s number, if the payment was taken here.'),
        connection: nullableText('The connection at which it was made.'),
        state: describeField(
          v.picklist(['pending', 'done', 'failed']),
          'Whether the refund is pending, done or failed.',
        ),
      }),
    ),
    'Refunds of the payment, wherever they were made.',
  ),
  chargeback: describeField(
    v.nullable(
      v.object({
        chargeback_id: ChargebackIdReply,
        opened_at: text('When the issuer raised it (ISO 8601, UTC).'),
        stands: flag('False once you have won it.'),
      }),
    ),
    'The chargeback of the payment; null if none is known.',
  ),
});

/** An alert with everything known about it. */
export const AlertDetails = v.object({
  ...alertSummaryFields,
  duplicate_alertid: v.nullable(DuplicateAlertidReply),
  mcc: text('The merchant category code (ISO 18245), four digits.'),
  as_sent: describeField(
    v.nullable(v.record(v.string(), v.string())),
    'What the provider sent where it was read differently, under the provider’s field names; null if nothing was.',
  ),
  provider_date: text('When the provider made the alert.'),
  assigned_at: nullableText(
    'When it was given to its site, if that was after it came in. Its deadline counts from the network’s time, not from then.',
  ),
  updated_at: nullableText('When the last update was accepted.'),
  withdrawn_at: nullableText('When the provider took the case back.'),
  ...answeredFields,
  ...handledFields,
  merchant_notes: nullableText('Your own notes; they are not sent on.'),
  tx_details: describeField(
    v.array(
      v.looseObject({
        duplicate_alertid: describeField(
          v.optional(v.string()),
          'The alert that came before about the same transaction.',
        ),
        userid: describeField(v.optional(v.string()), 'The customer’s account with you.'),
        username: describeField(v.optional(v.string()), 'Who did it.'),
      }),
    ),
    'Variable information about the answer, such as `userid` or `duplicate_alertid`.',
  ),
  unmatched_reason: describeField(
    v.nullable(v.picklist(['no_match', 'tie'])),
    'Why it is not assigned: no merchant enrolled the descriptor, or more than one did.',
  ),
  lost: flag('Whether its payment was charged back after the alert arrived, and still is.'),
  chargeback_id: v.nullable(ChargebackIdReply),
  automatic: describeField(v.nullable(DecisionDto), 'What an automatic rule decided.'),
  shadow_rules: describeField(v.array(DecisionDto), 'What shadow rules would have decided.'),
  provider_outcome: describeField(
    v.nullable(
      v.object({
        id: text('The outcome.'),
        state: describeField(
          v.picklist(outcomeStates),
          'Where the provider’s outcome stands: PENDING, ACCEPTED, REFUSED, EXPIRED, SUPERSEDED or MANUAL.',
        ),
        sent_at: nullableText('When it was last sent (ISO 8601, UTC).'),
        accepted_at: nullableText('When the other side accepted it (ISO 8601, UTC).'),
        attempts: count('How often it was sent.'),
        error: nullableText('What the provider said when it refused; null if it did not.'),
      }),
    ),
    'Whether the provider has been told about the last update; null: this provider is not told about updates.',
  ),
  held_txid: nullableCount('The payment of yours that it is about, which is kept from other refunds while it is open.'),
  case: describeField(CaseDto, 'The dispute case: everything known about the disputed payment, of all alerts.'),
  potential_txids: describeField(v.array(v.number()), 'Your payments that it can be about, if several.'),
  order_id: nullableCount('The order of yours that it is about, if you keep orders.'),
  cost: describeField(
    v.nullable(CostDto),
    'What it costs and saved; null for a test alert, and until that is known, a second or so.',
  ),
  history: describeField(v.array(HistoryEntrySchema), 'Oldest first; of a very long history, the newest 2 MB.'),
});

export const alertDetailsOperation = defineOperation('alerts/alert-details', {
  summary: 'Show one alert with its history',
  description: 'The fields of its notification, its present state, and who changed what, when and from where.',
  method: 'POST',
  path: '/api/v3/service_alerts/alert/{alert_id}/details',
  auth: 'bearer',
  permission: 'alerts:read',
  tool: {
    kind: 'read',
    hint: '`automatic`, `shadow_rules` and `history` explain decisions; `case` and `cost` are what is known about the payment.',
  },
  siteKeys: 'found',
  params: AlertParams,
  reply: AlertDetails,
  errors: ['alert_not_found'],
  grants: { table: ['BatchGetItem', 'Query'] },
});
