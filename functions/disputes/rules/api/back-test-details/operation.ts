import * as v from 'valibot';
import {
  AlertDateReply,
  AlertIdReply,
  AlertTypeReply,
  CurrencyReply,
  DateReply,
  NextCursorReply,
  RuleIdReply,
  SiteIdReply,
} from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, nullableText } from '#core/kernel/schema/field-words.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { BackTestDto } from '../../back-test/back-test-schemas.ts';
import { ruleOperation } from '../../declarations.ts';
import { PlainAmountReply } from '../../field-schemas.ts';

const Amounts = v.array(v.object({ currency: CurrencyReply, amount: PlainAmountReply }));

const Side = v.object({
  refunded: count('How many alerts would have been refunded.'),
  declined: count('How many would have been declined.'),
  resolved: count('How many would have been answered as resolved.'),
  left_to_people: count('How many no rule would have closed.'),
  refund_cost: describeField(Amounts, 'What the refunds would have cost, by currency.'),
  disputes_avoided: count('Refunded or resolved.'),
  avoided: describeField(Amounts, 'The amounts of the disputes that would have been avoided.'),
});

const figures = {
  alerts: count('How many alerts rules were asked about.'),
  alert_price: describeField(Amounts, 'What the alerts cost; the same for both.'),
  today: describeField(Side, 'What the rules of today would have done.'),
  draft: describeField(Side, 'What the draft would have done.'),
};

const Verdict = v.nullable(
  v.object({
    rule_id: v.nullable(RuleIdReply),
    draft_rule: nullableText('Its place in the draft: `site_rules.0`.'),
    would: describeField(
      v.picklist(['refund', 'decline', 'resolve', 'notify', 'review', 'leave_to_merchant']),
      'What it would have done.',
    ),
    reason: nullableText('Why.'),
  }),
);

export const backTestDetailsOperation = defineOperation('rules/back-test-details', {
  ...ruleOperation,
  permission: 'settings:read',
  summary: 'Show how far a back-test is, and what it found',
  description:
    'Day by day and in all, the draft beside the rules of today; and each alert on which they differ, a hundred at a time. Kept for 30 days.',
  path: '/api/v3/service_alerts/rules/back-test/{id}/details',
  params: v.object({
    id: v.pipe(AnyText, v.maxLength(64, 'is not the id of a back-test'), v.description('Its identifier.')),
  }),
  body: v.object({
    cursor: describeField(
      v.optional(v.pipe(AnyText, v.maxLength(20, 'is not a valid cursor'))),
      'Where the page begins: `next_cursor` of the previous page, with the same filters.',
    ),
  }),
  reply: v.object({
    ...BackTestDto.entries,
    days: describeField(v.array(v.object({ date: DateReply, ...figures })), 'The figures of each day.'),
    totals: describeField(v.object(figures), 'All days together.'),
    differing: count('How many alerts the two differ on, as far as they were read.'),
    differences: describeField(
      v.array(
        v.object({
          alert_id: AlertIdReply,
          sid: SiteIdReply,
          alert_date: AlertDateReply,
          alert_type: AlertTypeReply,
          amount: PlainAmountReply,
          currency: CurrencyReply,
          today: describeField(Verdict, 'What the rules of today decide; null: nothing.'),
          draft: describeField(Verdict, 'What the draft decides; null: nothing.'),
        }),
      ),
      'Alerts on which the two differ, the oldest first.',
    ),
    next_cursor: v.nullable(NextCursorReply),
  }),
  errors: ['back_test_not_found'],
  grants: { table: ['GetItem'] },
});
