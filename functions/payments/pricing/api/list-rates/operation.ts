import * as v from 'valibot';
import { NextCursorReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { pageFields } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { PricingCurrency, RateDto } from '../../schemas.ts';

export const RateListBody = v.pipe(
  v.object({
    from: describeField(v.optional(PricingCurrency), 'The currency converted from.'),
    to: describeField(v.optional(PricingCurrency), 'The currency converted to.'),
    size: pageFields.size,
    cursor: pageFields.cursor,
  }),
  v.forward(
    v.check(({ from, to }) => (from === undefined) === (to === undefined), 'give from and to, or neither'),
    ['from'],
  ),
);

export const RateList = v.object({
  list: describeField(v.array(RateDto), 'One page, the newest first unless `order` says otherwise.'),
  next_cursor: v.nullable(NextCursorReply),
});

export const listRatesOperation = defineOperation('pricing/list-rates', {
  method: 'POST',
  summary: 'List exchange rates',
  description:
    'With `from` and `to`, all rates of the pair; without them, the current rate of every pair. Newest first.',
  path: '/api/v3/pricing/rate/list',
  auth: 'bearer',
  permission: 'settings:read',
  body: RateListBody,
  reply: RateList,
  errors: [],
  grants: { table: ['Query'], indexes: ['list1'] },
});
