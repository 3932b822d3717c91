import * as v from 'valibot';
import {
  AmountReply,
  CurrencyReply,
  DateReply,
  MerchantIdField,
  SiteIdField,
} from '#core/kernel/schema/field-schemas.ts';
import { Day, spanOfDays } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';

const maxDays = 400;

export const AlertReportBody = v.pipe(
  v.object({
    mid: v.optional(MerchantIdField),
    sid: v.optional(SiteIdField),
    from: v.pipe(Day, v.description('The first day.')),
    to: v.pipe(Day, v.description('The last day, included.')),
    group: v.pipe(
      v.optional(v.picklist(['day', 'month'], 'must be day or month'), 'day'),
      v.description('What one row stands for: a day or a month.'),
    ),
  }),
  spanOfDays(maxDays),
);
export type AlertReportBody = v.InferOutput<typeof AlertReportBody>;

const Amounts = v.pipe(
  v.array(v.object({ currency: CurrencyReply, amount: AmountReply })),
  v.description('What was refunded through Forewarn or by a network, by currency.'),
);

const AmountsElsewhere = v.pipe(
  Amounts,
  v.description('What merchants report that they refunded elsewhere, by currency; not part of `refunded`.'),
);

const Answerer = v.object({
  answered: v.pipe(v.number(), v.description('How many alerts they have answered.')),
  resolved: v.pipe(v.number(), v.description('How many of these were resolved.')),
  declined: v.pipe(v.number(), v.description('How many of these were declined.')),
  in_time: v.pipe(v.number(), v.description('How many of these before their deadline.')),
  refunded: Amounts,
  refunded_elsewhere: AmountsElsewhere,
  median_minutes: v.pipe(v.nullable(v.number()), v.description('From receipt to their answer, as above.')),
});

const figures = {
  received: v.pipe(v.number(), v.description('How many alerts came in.')),
  by_type: v.pipe(v.record(v.string(), v.number()), v.description('How many of each type.')),
  open: v.pipe(v.number(), v.description('Still awaiting an answer, in time.')),
  resolved: v.pipe(v.number(), v.description('How many were resolved.')),
  declined: v.pipe(v.number(), v.description('How many were declined.')),
  expired: v.pipe(v.number(), v.description('Not answered when their deadline passed, nor since.')),
  withdrawn: v.pipe(v.number(), v.description('Taken back by their network.')),
  informational: v.pipe(v.number(), v.description('How many were for information only.')),
  in_time: v.pipe(v.number(), v.description('Answered before their deadline.')),
  by_rule: v.pipe(v.number(), v.description('Answered by a rule.')),
  answered_by: v.pipe(
    v.object({ rule: Answerer, person: Answerer }),
    v.description(
      'What rules have answered, and what all others have: people, and programs with a token, an rcode or in a reply.',
    ),
  ),
  refunded: Amounts,
  refunded_elsewhere: AmountsElsewhere,
  prevented: v.pipe(
    Amounts,
    v.description(
      'Amounts of alerts answered by a refund in time, a network’s own included: what might have been charged back.',
    ),
  ),
  lost: v.pipe(Amounts, v.description('Amounts of alerts that expired, or were charged back already (952).')),
  median_minutes: v.pipe(
    v.nullable(v.number()),
    v.description('From receipt to answer: the upper end of the class in which the middle one lies.'),
  ),
} as const;

export const AlertReport = v.object({
  list: v.pipe(
    v.array(v.object({ date: DateReply, ...figures })),
    v.description('One page, the newest first unless `order` says otherwise.'),
  ),
  totals: v.pipe(v.object(figures), v.description('The whole span.')),
});

export const alertReportOperation = defineOperation({
  area: 'reports',
  name: 'alert-report',
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
