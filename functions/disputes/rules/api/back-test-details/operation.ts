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
import { AnyText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { BackTestDto } from '../../back-test/back-test-schemas.ts';
import { ruleOperation } from '../../declarations.ts';
import { PlainAmountReply } from '../../field-schemas.ts';

const Amounts = v.array(v.object({ currency: CurrencyReply, amount: PlainAmountReply }));

const Side = v.object({
  refunded: v.pipe(v.number(), v.description('How many alerts would have been refunded.')),
  declined: v.pipe(v.number(), v.description('How many would have been declined.')),
  resolved: v.pipe(v.number(), v.description('How many would have been answered as resolved.')),
  left_to_people: v.pipe(v.number(), v.description('How many no rule would have closed.')),
  refund_cost: v.pipe(Amounts, v.description('What the refunds would have cost.')),
  disputes_avoided: v.pipe(v.number(), v.description('Refunded or resolved.')),
  avoided: v.pipe(Amounts, v.description('The amounts of the disputes that would have been avoided.')),
});

const figures = {
  alerts: v.pipe(v.number(), v.description('How many alerts rules were asked about.')),
  alert_price: v.pipe(Amounts, v.description('What the alerts cost; the same for both.')),
  today: v.pipe(Side, v.description('What the rules of today would have done.')),
  draft: v.pipe(Side, v.description('What the draft would have done.')),
};

const Verdict = v.pipe(
  v.nullable(
    v.object({
      rule_id: v.nullable(RuleIdReply),
      draft_rule: v.pipe(v.nullable(v.string()), v.description('Its place in the draft: `site_rules.0`.')),
      would: v.pipe(
        v.picklist(['refund', 'decline', 'resolve', 'notify', 'review', 'leave_to_merchant']),
        v.description('What it would have done.'),
      ),
      reason: v.pipe(v.nullable(v.string()), v.description('Why.')),
    }),
  ),
  v.description('Null: no rule decides it.'),
);

export const backTestDetailsOperation = defineOperation({
  ...ruleOperation,
  name: 'back-test-details',
  permission: 'settings:read',
  summary: 'Show how far a back-test is, and what it found',
  description:
    'Day by day and in all, the draft beside the rules of today; and each alert on which they differ, a hundred at a time. Kept for 30 days.',
  path: '/api/v3/service_alerts/rules/back-test/{id}/details',
  params: v.object({
    id: v.pipe(AnyText, v.maxLength(64, 'is not the id of a back-test'), v.description('Its identifier.')),
  }),
  body: v.object({
    cursor: v.pipe(
      v.optional(v.pipe(AnyText, v.maxLength(20, 'is not a valid cursor'))),
      v.description('Where the page begins: `next_cursor` of the previous page, with the same filters.'),
    ),
  }),
  reply: v.object({
    ...BackTestDto.entries,
    days: v.pipe(v.array(v.object({ date: DateReply, ...figures })), v.description('Days back from now.')),
    totals: v.pipe(v.object(figures), v.description('All days together.')),
    differing: v.pipe(v.number(), v.description('How many alerts the two differ on, as far as they were read.')),
    differences: v.pipe(
      v.array(
        v.object({
          alert_id: AlertIdReply,
          sid: SiteIdReply,
          alert_date: AlertDateReply,
          alert_type: AlertTypeReply,
          amount: PlainAmountReply,
          currency: CurrencyReply,
          today: Verdict,
          draft: Verdict,
        }),
      ),
      v.description('Alerts on which the two differ, the oldest first.'),
    ),
    next_cursor: v.nullable(NextCursorReply),
  }),
  errors: ['back_test_not_found'],
  grants: { table: ['GetItem'] },
});
