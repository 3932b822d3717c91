import * as v from 'valibot';
import { DateFromField, DateToField, MerchantIdField, SiteIdField } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { FormFields, OneOrMore, pageFields, pageReply } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { LookupDto } from '#payments/orders/dto-schemas.ts';
import { buyerFields } from '#payments/orders/field-schemas.ts';
import { lookupProviders, lookupResults } from '../../lookup/lookup.ts';

export const ListLookups = FormFields({
  mid: v.optional(MerchantIdField),
  sid: v.optional(SiteIdField),
  provider: describeField(v.optional(OneOrMore(lookupProviders)), 'The provider that asked.'),
  result: describeField(v.optional(OneOrMore(lookupResults)), 'What came of the look-up.'),
  date_from: v.optional(DateFromField),
  date_to: v.optional(DateToField),
  ...pageFields,
});

export const listLookupsOperation = defineOperation('lookups/list-lookups', {
  tag: 'orders',
  summary: "List providers' look-ups of orders",
  description:
    'Newest first: who asked, what was found and shown, and what came of it. Look-ups that found nothing are their merchant’s, ' +
    'if it is known, and no site’s.',
  method: 'POST',
  path: '/api/v3/orders/lookups',
  auth: 'bearer',
  permission: 'orders:read',
  siteKeys: 'named',
  body: ListLookups,
  formats: ['json', 'form'],
  reply: pageReply(v.object({ ...LookupDto.entries, ...buyerFields })),
  errors: ['merchant_not_found', 'site_not_found'],
  grants: {
    table: ['GetItem', 'BatchGetItem'],
    indexes: ['list1', 'list1f', 'list2', 'list2f', 'list4', 'list4f'],
  },
});
