import * as v from 'valibot';
import {
  AmountReply,
  CurrencyReply,
  DateReply,
  MerchantIdField,
  SiteIdField,
} from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, nullableCount } from '#core/kernel/schema/field-words.ts';
import { Day, spanOfDays } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';

const maxDays = 400;

export const AlertReportBody = v.pipe(
  v.object({
    mid: v.optional(MerchantIdField),
    sid: v.optional(SiteIdField),
    from: describeField(Day, 'The first day.'),
    to: describeField(Day, 'The last day, included.'),
    group: describeField(
      v.optional(v.picklist(['day', 'month'], 'must be day or month'), 'day'),
      'What one row stands for: a day or a month.',
    ),
  }),
  spanOfDays(maxDays),
);
export type AlertReportBody = v.InferOutput<typeof AlertReportBody>;

const Amounts = describeField(
  v.array(v.object({ currency: CurrencyReply, amount: AmountReply })),
  'What was refunded through Forewarn or by a network, by currency.',
);

const AmountsElsewhere = describeField(
  Amounts,
  'What merchants report that they refunded elsewhere, by currency; not part of `refunded`.',
);

const Answerer = v.object({
  answered: count('How many alerts they have answered.'),
  resolved: count('How many of these were resolved.'),
  declined: count('How many of these were declined.'),
  in_time: count('How many of these before their deadline.'),
  refunded: Amounts,
  refunded_elsewhere: AmountsElsewhere,
  median_minutes: nullableCount('From receipt to their answer, as above.'),
});

const figures = {
  received: count('How many alerts came in.'),
  by_type: describeField(v.record(v.string(), v.number()), 'How many of each type.'),
  open: count('Still awaiting an answer, in time.'),
  resolved: count('How many were resolved.'),
  declined: count('How many were declined.'),
  expired: count('Not answered when their deadline passed, nor since.'),
  withdrawn: count('Taken back by their network.'),
  informational: count('How many were for information only.'),
  in_time: count('Answered before their deadline.'),
  by_rule: count('Answered by a rule.'),
  answered_by: describeField(
    v.object({ rule: Answerer, person: Answerer }),
    'What rules have answered, and what all others have: people, and programs with a token, an rcode or in a reply.',
  ),
  refunded: Amounts,
  refunded_elsewhere: AmountsElsewhere,
  prevented: describeField(
    Amounts,
    'Amounts of alerts answered by a refund in time, a network’s own included: what might have been charged back.',
  ),
  lost: describeField(Amounts, 'Amounts of alerts that expired, or were charged back already (952).'),
  median_minutes: nullableCount('From receipt to answer: the upper end of the class in which the middle one lies.'),
} as const;

export const AlertReport = v.object({
  list: describeField(v.array(v.object({ date: DateReply, ...figures })), 'The figures of each day or month.'),
  totals: describeField(v.object(figures), 'The whole span.'),
});

export const alertReportOperation = defineOperation('reports/alert-report', {
  summary: 'Report what became of alerts',
  description:
    "A merchant's, or a site's, by the day (UTC) or month in which they came in. An administrator names one. Figures follow the " +
    'alerts within a second or so; those of a day change until its last alert is closed. Test alerts are left out.',
  method: 'POST',
  path: '/api/v3/reports/alerts',
  auth: 'bearer',
  permission: 'reports:read',
  tool: { kind: 'read' },
  body: AlertReportBody,
  reply: AlertReport,
  errors: ['merchant_not_found', 'site_not_found'],
  grants: { table: ['GetItem', 'Query'] },
});
