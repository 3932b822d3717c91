import * as v from 'valibot';
import { FormFields, FromTime, Id, OneOrMore, pageFields, pageReply, ToTime } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { LookupDto } from '#payments/orders/dto-schemas.ts';
import { lookupProviders, lookupResults } from '../../lookup/lookup.ts';

export const ListLookups = FormFields({
  mid: v.optional(Id),
  sid: v.optional(Id),
  provider: v.optional(OneOrMore(lookupProviders)),
  result: v.optional(OneOrMore(lookupResults)),
  date_from: v.optional(FromTime),
  date_to: v.optional(ToTime),
  ...pageFields,
});

export const listLookups = defineOperation({
  area: 'lookups',
  tag: 'orders',
  name: 'list-lookups',
  summary: "List providers' look-ups of orders",
  description:
    'Newest first: who asked, what was found and shown, and what came of it. Look-ups that found nothing are their merchant’s, ' +
    'if it is known, and no site’s.',
  method: 'POST',
  path: '/api/v3/orders/lookups',
  auth: 'bearer',
  body: ListLookups,
  formats: ['json', 'form'],
  reply: pageReply(LookupDto),
  errors: ['merchant_not_found', 'site_not_found'],
  grants: {
    table: ['GetItem', 'BatchGetItem'],
    indexes: ['list1', 'list1f', 'list2', 'list2f', 'list4', 'list4f'],
  },
});
