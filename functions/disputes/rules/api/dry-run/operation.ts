import * as v from 'valibot';
import { Id, Nested, WholeNumber } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { actionTypes } from '#disputes/alerts/automatic/actions.ts';
import { CurrencyCode, withAmounts } from '#disputes/providers/fields.ts';
import { LenientAmount } from '#disputes/providers/lenient.ts';
import { ruleProviders } from '#disputes/providers/providers.ts';
import { base, ownerErrors } from '../../declarations.ts';
import { Action, Conditions, owner, Providers } from '../../schemas.ts';

const Cost = withAmounts(
  v.pipe(
    Nested({ amount: LenientAmount, currency: CurrencyCode }, 'must be an object with amount and currency'),
    v.description('What one chargeback is assumed to cost beside its amount.'),
  ),
  ['amount', 'currency'],
);

const dryRunFields = {
  ...owner,
  rule_id: v.pipe(v.optional(Id), v.description('Only this rule of the owner, enabled or not; absent: all in order.')),
  rule: v.pipe(
    v.optional(
      Nested({
        providers: v.optional(Providers, [...ruleProviders]),
        conditions: Conditions,
        action: Action,
      }),
    ),
    v.description('A draft rule, tried on its own.'),
  ),
  days: v.optional(WholeNumber(1, 30), 30),
  chargeback_cost: v.optional(Cost, { amount: '15.00', currency: 'USD' }),
  size: v.optional(WholeNumber(1, 100), 100),
  /** It grows with the sites that had a refund on the day where the page ends. */
  cursor: v.optional(v.pipe(v.string('must be text'), v.maxLength(100_000, 'is not a valid cursor'))),
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
  currency: v.string(),
  refunded: v.pipe(v.string(), v.description('What the refunds would have cost.')),
  saved: v.pipe(v.string(), v.description('Amounts not charged back, and chargebacks not paid for.')),
});

export const DryRunResult = v.object({
  list: v.array(
    v.object({
      alert_id: v.number(),
      sid: v.nullable(v.number()),
      alert_date: v.string(),
      alert_type: v.string(),
      amount: v.string(),
      currency: v.string(),
      rule_id: v.pipe(v.nullable(v.number()), v.description('Null: the rule that was sent along.')),
      version: v.nullable(v.number()),
      action: v.picklist(actionTypes),
      would: v.picklist(['refund', 'decline', 'resolve', 'notify', 'review', 'leave_to_merchant']),
      reason: v.pipe(
        v.nullable(v.string()),
        v.description(
          'Why it would have been left to the merchant, such as `no_transaction` or `several_matches`; or been answered instead ' +
            'of refunded: `already_refunded`, `already_charged_back`.',
        ),
      ),
      refund_amount: v.pipe(v.nullable(v.string()), v.description('What would have been refunded.')),
      refund_currency: v.nullable(v.string()),
    }),
  ),
  evaluated: v.pipe(v.number(), v.description('How many alerts this page looked at.')),
  matched: v.number(),
  totals: v.pipe(v.array(Total), v.description('Of this page, per currency.')),
  from: v.string(),
  to: v.string(),
  next_cursor: v.nullable(v.string()),
});

export const dryRun = defineOperation({
  ...base,
  name: 'dry-run',
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
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP'],
  memoryMegabytes: 512,
});
