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
  version: v.pipe(v.number(), v.description('The rule’s version.')),
  name: PlainNameReply,
  sid: v.pipe(v.nullable(v.number()), v.description('Null: a rule for all sites of the merchant.')),
  mode: v.pipe(
    v.picklist(['live', 'shadow']),
    v.description('`live` decides; `shadow` only records what it would have decided.'),
  ),
  action: v.pipe(
    v.object({
      type: v.pipe(
        v.picklist(['refund', 'decline', 'resolve', 'notify', 'review']),
        v.description('The type of alert.'),
      ),
      reason_code: v.optional(ReasonCodeReply),
      comments: v.optional(CommentsReply),
      already: v.pipe(
        v.optional(v.picklist(alreadyChoices)),
        v.description('What the rule does with a payment that is refunded or charged back already.'),
      ),
      cancel_subscription: v.pipe(
        v.optional(v.literal(true)),
        v.description('Whether the subscription that the charge came from is ended, too.'),
      ),
      block: v.pipe(
        v.optional(v.literal(true)),
        v.description('Whether the card and the e-mail address are added to the block lists, too.'),
      ),
    }),
    v.description('What the rule does.'),
  ),
  facts: v.pipe(
    v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()]))),
    v.description('What was known of the alert when the rule was asked.'),
  ),
  result: v.pipe(v.picklist(decisionResults), v.description('What came of it.')),
  reason: v.pipe(v.nullable(v.string()), v.description('Why nothing was done; null if it was.')),
  match: v.pipe(
    v.optional(MatchEvidenceReply),
    v.description('How well the transaction that was found fits the alert; absent if none was found.'),
  ),
  afterwards: v.pipe(
    v.optional(v.array(v.string())),
    v.description('What else was done, such as ending a subscription, and what could not be done.'),
  ),
});

export const HistoryEntrySchema = v.object({
  at: AtReply,
  by: v.pipe(v.string(), v.description('A username, `site 12`, `rule 7` or a provider.')),
  via: v.pipe(
    v.string(),
    v.description(
      'intake, test, assignment, update, webhook_reply, dashboard, refund, rules, outcomes, chargebacks or deadline: how the change was made.',
    ),
  ),
  change: v.pipe(
    v.object({
      event: v.pipe(v.string(), v.description('What happened.')),
      from: v.pipe(v.record(v.string(), v.unknown()), v.description('What changed, as it was before.')),
      to: v.pipe(v.record(v.string(), v.unknown()), v.description('What changed, as it was afterwards.')),
      decisions: v.pipe(v.optional(v.array(DecisionDto)), v.description('What each rule that was asked said.')),
    }),
    v.description('What changed, from what to what.'),
  ),
});

const price = {
  price: v.nullable(PriceReply),
  price_currency: v.pipe(v.nullable(v.string()), v.description('The currency of the price (ISO 4217).')),
};
const saved = {
  saved: v.pipe(v.nullable(v.string()), v.description('The disputed amount that the answer saved.')),
  saved_currency: v.pipe(v.nullable(v.string()), v.description('The currency of what was saved (ISO 4217).')),
};

/** The cost of an alert, whether its price can be reclaimed, and its saving. */
const CostDto = v.object({
  ...price,
  credit: v.pipe(
    v.picklist(creditStates),
    v.description('Whether its price can be claimed back: none, claimable, claimed, granted or refused.'),
  ),
  credit_reason: v.pipe(v.nullable(v.picklist(creditReasons)), v.description('Why its price can be claimed back.')),
  credit_evidence: CreditEvidenceDto,
  ...saved,
  entries: v.pipe(
    v.array(
      v.object({
        at: AtReply,
        by: ByReply,
        ...v.partial(v.object(price)).entries,
        credit: v.pipe(
          v.optional(v.picklist(creditStates)),
          v.description('Whether its price can be claimed back: none, claimable, claimed, granted or refused.'),
        ),
        ...v.partial(v.object(saved)).entries,
      }),
    ),
    v.description('What changed when and by whom, oldest first.'),
  ),
});

/** Everything known about the disputed payment, of all its alerts. */
const CaseDto = v.object({
  case_id: v.pipe(v.number(), v.description('The number of the first alert about the payment.')),
  state: v.pipe(
    v.picklist(disputeCaseStates),
    v.description(
      'The last of these that applies: informed, withdrawn, answered (without a refund), open, in_progress, refunded, charged_back.',
    ),
  ),
  suggested_reason: v.pipe(
    v.nullable(v.picklist(['940', '951', '952'])),
    v.description(
      'The reason code that the known facts suggest for this alert: 940 duplicate, 951 refunded before, 952 charged back before.',
    ),
  ),
  alerts: v.pipe(
    v.array(
      v.object({
        alert_id: AlertIdReply,
        provider: v.pipe(v.picklist(alertProviders), v.description('The alert provider.')),
        provider_case_id: ProviderCaseIdReply,
        alert_type: v.pipe(v.picklist(alertTypes), v.description('The type of alert.')),
        status: v.pipe(v.picklist(alertStatuses), v.description('The status of the alert.')),
        duplicate_alertid: v.nullable(DuplicateAlertidReply),
        sequence: v.pipe(
          v.nullable(v.number()),
          v.description('The provider’s count of its last message; null: none.'),
        ),
        provider_date: v.pipe(v.string(), v.description('When the provider made the alert.')),
        alert_date: AlertDateReply,
        withdrawn_at: v.pipe(v.nullable(v.string()), v.description('When the provider took the case back.')),
        credit: v.pipe(
          v.nullable(v.picklist(creditStates)),
          v.description('Whether its price can be claimed back; null: it costs nothing, or that is not known yet.'),
        ),
      }),
    ),
    v.description('The alerts of all networks about the payment, oldest first; at most 20.'),
  ),
  txid: v.pipe(v.nullable(v.number()), v.description('The payment taken here that is held for one of them.')),
  refunds: v.pipe(
    v.array(
      v.object({
        alert_id: AlertIdReply,
        by: v.pipe(
          v.picklist(refunders),
          v.description('Who made it: forewarn, network, or merchant if only an answer says so.'),
        ),
        at: v.pipe(v.nullable(v.string()), v.description('When it was made; null if that is not known.')),
        amount: v.pipe(v.nullable(v.string()), v.description('How much; null if that is not known.')),
        currency: v.pipe(v.nullable(v.string()), v.description('ISO 4217, three letters.')),
        txid: v.pipe(v.nullable(v.number()), v.description('The refund’s number, if the payment was taken here.')),
        connection: v.pipe(v.nullable(v.string()), v.description('The connection at which it was made.')),
        state: v.pipe(v.picklist(['pending', 'done', 'failed']), v.description('What came of it.')),
      }),
    ),
    v.description('Refunds of the payment, wherever they were made.'),
  ),
  chargeback: v.pipe(
    v.nullable(
      v.object({
        chargeback_id: ChargebackIdReply,
        opened_at: v.pipe(v.string(), v.description('When the issuer raised it (ISO 8601, UTC).')),
        stands: v.pipe(v.boolean(), v.description('False once you have won it.')),
      }),
    ),
    v.description('The chargeback of the payment; null if none is known.'),
  ),
});

/** An alert with everything known about it. */
export const AlertDetails = v.object({
  ...alertSummaryFields,
  duplicate_alertid: v.nullable(DuplicateAlertidReply),
  mcc: v.pipe(v.string(), v.description('The merchant category code (ISO 18245), four digits.')),
  as_sent: v.pipe(
    v.nullable(v.record(v.string(), v.string())),
    v.description(
      'What the provider sent where it was read differently, under the provider’s field names; null if nothing was.',
    ),
  ),
  provider_date: v.pipe(v.string(), v.description('When the provider made the alert.')),
  assigned_at: v.pipe(
    v.nullable(v.string()),
    v.description(
      'When it was given to its site, if that was after it came in. Its deadline counts from the network’s time, not from then.',
    ),
  ),
  updated_at: v.pipe(v.nullable(v.string()), v.description('When the last update was accepted.')),
  withdrawn_at: v.pipe(v.nullable(v.string()), v.description('When the provider took the case back.')),
  ...answeredFields,
  ...handledFields,
  merchant_notes: v.pipe(v.nullable(v.string()), v.description('Your own notes; they are not sent on.')),
  tx_details: v.pipe(
    v.array(
      v.looseObject({
        duplicate_alertid: v.pipe(
          v.optional(v.string()),
          v.description('The alert that came before about the same transaction.'),
        ),
        userid: v.pipe(v.optional(v.string()), v.description('The customer’s account with you.')),
        username: v.pipe(v.optional(v.string()), v.description('Who did it.')),
      }),
    ),
    v.description('Variable information about the answer, such as `userid` or `duplicate_alertid`.'),
  ),
  unmatched_reason: v.pipe(
    v.nullable(v.picklist(['no_match', 'tie'])),
    v.description('Why it is not assigned: no merchant enrolled the descriptor, or more than one did.'),
  ),
  lost: v.pipe(
    v.boolean(),
    v.description('Whether its payment was charged back after the alert arrived, and still is.'),
  ),
  chargeback_id: v.nullable(ChargebackIdReply),
  automatic: v.pipe(v.nullable(DecisionDto), v.description('What an automatic rule decided.')),
  shadow_rules: v.pipe(v.array(DecisionDto), v.description('What shadow rules would have decided.')),
  provider_outcome: v.pipe(
    v.nullable(
      v.object({
        id: v.pipe(v.string(), v.description('The alert’s number.')),
        state: v.pipe(
          v.picklist(outcomeStates),
          v.description(
            'Where the provider’s outcome stands: PENDING, ACCEPTED, REFUSED, EXPIRED, SUPERSEDED or MANUAL.',
          ),
        ),
        sent_at: v.pipe(v.nullable(v.string()), v.description('When it was last sent (ISO 8601, UTC).')),
        accepted_at: v.pipe(v.nullable(v.string()), v.description('When the other side accepted it (ISO 8601, UTC).')),
        attempts: v.pipe(v.number(), v.description('How often it was sent.')),
        error: v.pipe(
          v.nullable(v.string()),
          v.description('What the provider said when it refused; null if it did not.'),
        ),
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
  case: v.pipe(CaseDto, v.description('The dispute case: everything known about the disputed payment, of all alerts.')),
  potential_txids: v.pipe(v.array(v.number()), v.description('Your payments that it can be about, if several.')),
  order_id: v.pipe(v.nullable(v.number()), v.description('The order of yours that it is about, if you keep orders.')),
  cost: v.pipe(
    v.nullable(CostDto),
    v.description('What it costs and saved; null for a test alert, and until that is known, a second or so.'),
  ),
  history: v.pipe(v.array(HistoryEntrySchema), v.description('Oldest first; of a very long history, the newest 2 MB.')),
});

export const alertDetailsOperation = defineOperation({
  area: 'alerts',
  name: 'alert-details',
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
