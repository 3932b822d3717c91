import * as v from 'valibot';
import { DateReply, MerchantIdField, SiteIdField } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Day, OneOrMore, spanOfDays } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { pricedProviders } from '../../price.ts';
import { CostFigures } from '../../schemas.ts';

const maxDays = 400;

export const AlertCostsBody = v.pipe(
  v.object({
    mid: v.optional(MerchantIdField),
    sid: v.optional(SiteIdField),
    provider: describeField(v.optional(OneOrMore(pricedProviders)), 'The alert provider.'),
    from: describeField(Day, 'The first day.'),
    to: describeField(Day, 'The last day.'),
    group: describeField(
      v.optional(v.picklist(['day', 'month'], 'must be day or month'), 'day'),
      'What the totals are split by.',
    ),
  }),
  spanOfDays(maxDays),
);

export const alertCostsOperation = defineOperation('costs/alert-costs', {
  summary: 'Report what alerts cost and saved',
  description:
    "A merchant's, or a site's, by day or month, both days included, in UTC. A price counts on the day of its alert; what became " +
    'of it on the day on which that became known, so days that are over do not change.',
  method: 'POST',
  path: '/api/v3/reports/alert-costs',
  auth: 'bearer',
  permission: 'reports:read',
  tool: { kind: 'read' },
  body: AlertCostsBody,
  reply: v.object({
    list: describeField(
      v.array(v.object({ date: DateReply, ...CostFigures.entries })),
      'The figures of each day or month.',
    ),
    totals: describeField(CostFigures, 'The sums.'),
  }),
  errors: ['merchant_not_found', 'site_not_found'],
  grants: { table: ['GetItem', 'Query'] },
});
