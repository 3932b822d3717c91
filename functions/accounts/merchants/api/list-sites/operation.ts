import * as v from 'valibot';
import { MerchantIdField, RetailerIdField } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { OneOrMore, pageFields, pageReply } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { toSiteDto } from '../../schemas.ts';
import { siteTypes } from '../../site/site.ts';

export const SiteListBody = v.object({
  mid: v.optional(MerchantIdField),
  rid: v.optional(RetailerIdField),
  type: describeField(
    v.optional(OneOrMore([...siteTypes, 'none'])),
    'payment, 3ds or alert; permanent once it is set.',
  ),
  ...pageFields,
});

export const SiteList = pageReply(v.object(toSiteDto));

export const listSitesOperation = defineOperation('merchants/list-sites', {
  summary: 'List sites',
  description:
    "Newest first, those of the caller's merchant; an administrator sees all. Filtered by merchant, retailer and type.",
  method: 'POST',
  path: '/api/v3/site/list',
  auth: 'bearer',
  permission: 'settings:read',
  body: SiteListBody,
  reply: SiteList,
  errors: [],
  grants: { table: ['GetItem'], indexes: ['list1', 'list1f', 'list2', 'list2f', 'list3', 'list3f'] },
});
