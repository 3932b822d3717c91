import * as v from 'valibot';
import {
  AlertDateReply,
  AlertIdReply,
  AlertTypeReply,
  CurrencyReply,
  NextCursorReply,
  SiteIdReply,
  VersionReply,
} from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, nullableCount, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { Id, Nested, WholeNumber } from '#core/kernel/schema/schema.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { actionTypes } from '#disputes/alerts/automatic/actions.ts';
import { MatchEvidenceReply } from '#disputes/matching/schemas.ts';
import { ChargebackCost } from '../../assumed-cost-schemas.ts';
import { ownerErrors, ruleOperation } from '../../declarations.ts';
import { PlainAmountReply } from '../../field-schemas.ts';
import { Action, owner, Providers, RuleConditionsSchema } from '../../schemas.ts';

const dryRunFields = {
  ...owner,
  about: describeField(
    v.optional(v.picklist(['alerts', 'warnings'], 'must be one of alerts, warnings')),
    'What the rules decide: `alerts`, the default, or `warnings`.',
  ),
  rule_id: describeField(v.optional(Id), 'Only this rule of the owner, enabled or not; absent: all in order.'),
  rule: describeField(
    v.optional(
      Nested({
        providers: v.optional(Providers),
        conditions: RuleConditionsSchema,
        action: Action,
      }),
    ),
    'A draft rule, tried on its own.',
  ),
  days: describeField(v.optional(WholeNumber(1, 30), 30), 'Days back from now.'),
  chargeback_cost: v.optional(ChargebackCost, { amount: '15.00', currency: 'USD' }),
  size: describeField(v.optional(WholeNumber(1, 100), 100), 'How many to return at most.'),
  /** It grows with the sites that had a refund on the day where the page ends. */
  cursor: describeField(
    v.optional(v.pipe(AnyText, v.maxLength(100_000, 'is not a valid cursor'))),
    'Where the page begins: `next_cursor` of the previous page, with the same filters.',
  ),
};

export const DryRun = v.pipe(
  v.object(dryRunFields),
  v.forward(
    v.check(
      ({ rule_id, rule }) => rule_id === undefined || rule === undefined,
      'give either rule_id or rule, not both',
    ),
    ['rule_id'],
  ),
);

const Total = v.object({
  currency: CurrencyReply,
  refunded: text('What the refunds would have cost.'),
  saved: text('Amounts not charged back, and chargebacks not paid for.'),
});

export const DryRunResult = v.object({
  list: describeField(
    v.array(
      v.object({
        alert_id: AlertIdReply,
        sid: v.nullable(SiteIdReply),
        alert_date: AlertDateReply,
        alert_type: AlertTypeReply,
        amount: PlainAmountReply,
        currency: CurrencyReply,
        rule_id: nullableCount('Null: the rule that was sent along.'),
        version: v.nullable(VersionReply),
        action: describeField(
          v.picklist(actionTypes),
          'What the rule does: refund, decline, resolve, notify or review.',
        ),
        would: describeField(
          v.picklist(['refund', 'decline', 'resolve', 'notify', 'review', 'leave_to_merchant']),
          'What it would have done.',
        ),
        reason: describeField(
          v.nullable(v.string()),
          'Why it would have been left to the merchant, such as `no_transaction`, `several_matches` or `evidence_insufficient`; or been answered instead ' +
            'of refunded: `already_refunded`, `already_charged_back`.',
        ),
        refund_amount: nullableText('What would have been refunded.'),
        refund_currency: nullableText('Of what would have been refunded.'),
        match: describeField(
          v.nullable(MatchEvidenceReply),
          'How well the payment that was found fits the alert; null if none was searched for, or none is certain.',
        ),
      }),
    ),
    'Alerts of this page that a rule matches, and what it would have done with each.',
  ),
  evaluated: count('How many alerts this page looked at.'),
  matched: count('How many alerts it would have decided.'),
  not_compared: describeField(
    v.array(
      v.object({
        fact: text('The fact, with its params: `volume_count(card, 24h)`.'),
        alerts: count('How many alerts of this page do not have it.'),
      }),
    ),
    'Facts that the rules compare and that alerts lack: `notEqual` and `notIn` hold for these, nothing else does.',
  ),
  totals: describeField(v.array(Total), 'Of this page, per currency.'),
  from: text('From when.'),
  to: text('Until when.'),
  next_cursor: v.nullable(NextCursorReply),
});

export const dryRunOperation = defineOperation('rules/dry-run', {
  ...ruleOperation,
  permission: 'settings:read',
  summary: 'Show what rules would have done with recent alerts',
  description:
    'Oldest first, a page at a time. For what a rule would refund, the payment is looked for here and at your own processors, as ' +
    'it stands today; what an alert was itself answered with as refunded counts as not refunded yet. With connections a page has ' +
    '20 alerts at most. Limits hold as they would have, those of a day over all pages. Test alerts are left out.',
  path: '/api/v3/service_alerts/rules/dry-run',
  body: DryRun,
  reply: DryRunResult,
  errors: [...ownerErrors, 'rule_not_found'],
  grants: {
    table: ['GetItem', 'BatchGetItem', 'Query'],
    indexes: ['list1', 'list2', 'list3f', 'list4'],
    secrets: ['encryption'],
  },
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
  memoryMegabytes: 512,
});
