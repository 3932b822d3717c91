import * as v from 'valibot';
import { Day, Id, OneOrMore, spanOfDays } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { pricedProviders } from '../../price.ts';
import { CostFigures } from '../../schemas.ts';

const mostDays = 400;

export const AlertCostsBody = v.pipe(
  v.object({
    mid: v.optional(Id),
    sid: v.optional(Id),
    provider: v.optional(OneOrMore(pricedProviders)),
    from: Day,
    to: Day,
    group: v.optional(v.picklist(['day', 'month'], 'must be day or month'), 'day'),
  }),
  spanOfDays(mostDays),
);

export const alertCosts = defineOperation({
  area: 'costs',
  name: 'alert-costs',
  summary: 'Report what alerts cost and saved',
  description:
    "A merchant's, or a site's, by day or month, both days included, in UTC. A price counts on the day of its alert; what became " +
    'of it on the day on which that became known, so days that are over do not change.',
  method: 'POST',
  path: '/api/v3/reports/alert-costs',
  auth: 'bearer',
  body: AlertCostsBody,
  reply: v.object({
    list: v.array(v.object({ date: v.string(), ...CostFigures.entries })),
    totals: CostFigures,
  }),
  errors: ['merchant_not_found', 'site_not_found'],
  grants: { table: ['GetItem', 'Query'] },
});
