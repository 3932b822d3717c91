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
import { Id, Nested, WholeNumber } from '#core/kernel/schema/schema.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { actionTypes } from '#disputes/alerts/automatic/actions.ts';
import { MatchEvidenceReply } from '#disputes/matching/schemas.ts';
import { ruleProviders } from '#disputes/providers/providers.ts';
import { ChargebackCost } from '../../assumed-cost-schemas.ts';
import { ownerErrors, ruleOperation } from '../../declarations.ts';
import { PlainAmountReply } from '../../field-schemas.ts';
import { Action, owner, Providers, RuleConditionsSchema } from '../../schemas.ts';

const dryRunFields = {
  ...owner,
  rule_id: v.pipe(v.optional(Id), v.description('Only this rule of the owner, enabled or not; absent: all in order.')),
  rule: v.pipe(
    v.optional(
      Nested({
        providers: v.optional(Providers, [...ruleProviders]),
        conditions: RuleConditionsSchema,
        action: Action,
      }),
    ),
    v.description('A draft rule, tried on its own.'),
  ),
  days: v.pipe(v.optional(WholeNumber(1, 30), 30), v.description('Days back from now.')),
  chargeback_cost: v.optional(ChargebackCost, { amount: '15.00', currency: 'USD' }),
  size: v.pipe(v.optional(WholeNumber(1, 100), 100), v.description('How many to return at most.')),
  /** It grows with the sites that had a refund on the day where the page ends. */
  cursor: v.pipe(
    v.optional(v.pipe(AnyText, v.maxLength(100_000, 'is not a valid cursor'))),
    v.description('Where the page begins: `next_cursor` of the previous page, with the same filters.'),
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
  refunded: v.pipe(v.string(), v.description('What the refunds would have cost.')),
  saved: v.pipe(v.string(), v.description('Amounts not charged back, and chargebacks not paid for.')),
});

export const DryRunResult = v.object({
  list: v.pipe(
    v.array(
      v.object({
        alert_id: AlertIdReply,
        sid: v.nullable(SiteIdReply),
        alert_date: AlertDateReply,
        alert_type: AlertTypeReply,
        amount: PlainAmountReply,
        currency: CurrencyReply,
        rule_id: v.pipe(v.nullable(v.number()), v.description('Null: the rule that was sent along.')),
        version: v.nullable(VersionReply),
        action: v.pipe(v.picklist(actionTypes), v.description('refund, decline, resolve, notify or review.')),
        would: v.pipe(
          v.picklist(['refund', 'decline', 'resolve', 'notify', 'review', 'leave_to_merchant']),
          v.description('What it would have done.'),
        ),
        reason: v.pipe(
          v.nullable(v.string()),
          v.description(
            'Why it would have been left to the merchant, such as `no_transaction`, `several_matches` or `evidence_insufficient`; or been answered instead ' +
              'of refunded: `already_refunded`, `already_charged_back`.',
          ),
        ),
        refund_amount: v.pipe(v.nullable(v.string()), v.description('What would have been refunded.')),
        refund_currency: v.pipe(v.nullable(v.string()), v.description('Of what would have been refunded.')),
        match: v.pipe(
          v.nullable(MatchEvidenceReply),
          v.description(
            'How well the payment that was found fits the alert; null if none was searched for, or none is certain.',
          ),
        ),
      }),
    ),
    v.description('One page, the newest first unless `order` says otherwise.'),
  ),
  evaluated: v.pipe(v.number(), v.description('How many alerts this page looked at.')),
  matched: v.pipe(v.number(), v.description('How many alerts it would have decided.')),
  not_compared: v.pipe(
    v.array(
      v.object({
        fact: v.pipe(v.string(), v.description('The fact, with its params: `volume_count(card, 24h)`.')),
        alerts: v.pipe(v.number(), v.description('How many alerts of this page do not have it.')),
      }),
    ),
    v.description(
      'Facts that the rules compare and that alerts lack: `notEqual` and `notIn` hold for these, nothing else does.',
    ),
  ),
  totals: v.pipe(v.array(Total), v.description('Of this page, per currency.')),
  from: v.pipe(v.string(), v.description('From when.')),
  to: v.pipe(v.string(), v.description('Until when.')),
  next_cursor: v.nullable(NextCursorReply),
});

export const dryRunOperation = defineOperation({
  ...ruleOperation,
  name: 'dry-run',
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
