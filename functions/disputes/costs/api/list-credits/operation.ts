import * as v from 'valibot';
import {
  DateFromField,
  DateToField,
  MerchantIdField,
  RetailerIdField,
  SiteIdField,
} from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { FormFields, OneOrMore, pageFields, pageReply } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { creditReasons } from '#disputes/alerts/cost/cost.ts';
import { CreditSummarySchema, listedCreditStates } from '../../schemas.ts';

/** Which credits to list. `date_from` and `date_to` are about when the alert was received. */
export const ListCredits = FormFields({
  state: describeField(v.optional(OneOrMore(listedCreditStates)), 'Its present state.'),
  reason: describeField(v.optional(OneOrMore(creditReasons)), 'Why.'),
  mid: v.optional(MerchantIdField),
  rid: v.optional(RetailerIdField),
  sid: v.optional(SiteIdField),
  date_from: v.optional(DateFromField),
  date_to: v.optional(DateToField),
  ...pageFields,
});

export const listCreditsOperation = defineOperation('costs/list-credits', {
  summary: 'List alerts whose price can be, or was, claimed back',
  description:
    'Alerts that repeat another, that came after the money had gone back, or that are not about the merchant; filtered by state, reason, ' +
    'merchant, retailer, site and date.',
  method: 'POST',
  path: '/api/v3/service_alerts/credits/list',
  auth: 'bearer',
  permission: 'reports:read',
  siteKeys: 'named',
  body: ListCredits,
  formats: ['json', 'form'],
  reply: pageReply(CreditSummarySchema),
  errors: ['merchant_not_found', 'retailer_not_found', 'site_not_found'],
  grants: {
    table: ['GetItem', 'BatchGetItem'],
    indexes: ['list1', 'list1f', 'list2', 'list2f', 'list3', 'list3f', 'list4', 'list4f'],
  },
});
