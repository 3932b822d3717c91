import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { BackTestDto } from '../../back-test/back-test-schemas.ts';
import { base } from '../../declarations.ts';

const Amounts = v.array(v.object({ currency: v.string(), amount: v.string() }));

const Side = v.object({
  refunded: v.number(),
  declined: v.number(),
  resolved: v.number(),
  left_to_people: v.number(),
  refund_cost: Amounts,
  disputes_avoided: v.pipe(v.number(), v.description('Refunded or resolved.')),
  avoided: Amounts,
});

const figures = {
  alerts: v.number(),
  alert_price: v.pipe(Amounts, v.description('What the alerts cost; the same for both.')),
  today: Side,
  draft: Side,
};

const Verdict = v.pipe(
  v.nullable(
    v.object({
      rule_id: v.nullable(v.number()),
      draft_rule: v.pipe(v.nullable(v.string()), v.description('Its place in the draft: `site_rules.0`.')),
      would: v.picklist(['refund', 'decline', 'resolve', 'notify', 'review', 'leave_to_merchant']),
      reason: v.nullable(v.string()),
    }),
  ),
  v.description('Null: no rule decides it.'),
);

export const backTestDetails = defineOperation({
  ...base,
  name: 'back-test-details',
  summary: 'Show how far a back-test is, and what it found',
  description:
    'Day by day and in all, the draft beside the rules of today; and each alert on which they differ, a hundred at a time. Kept for 30 days.',
  path: '/api/v3/service_alerts/rules/back-test/{id}/details',
  params: v.object({ id: v.pipe(v.string(), v.maxLength(64, 'is not the id of a back-test')) }),
  body: v.object({
    cursor: v.optional(v.pipe(v.string('must be text'), v.maxLength(20, 'is not a valid cursor'))),
  }),
  reply: v.object({
    ...BackTestDto.entries,
    days: v.array(v.object({ date: v.string(), ...figures })),
    totals: v.object(figures),
    differing: v.pipe(v.number(), v.description('How many alerts the two differ on, as far as they were read.')),
    differences: v.array(
      v.object({
        alert_id: v.number(),
        sid: v.number(),
        alert_date: v.string(),
        alert_type: v.string(),
        amount: v.string(),
        currency: v.string(),
        today: Verdict,
        draft: Verdict,
      }),
    ),
    next_cursor: v.nullable(v.string()),
  }),
  errors: ['back_test_not_found'],
  grants: { table: ['GetItem'] },
});
