import * as v from 'valibot';
import {
  AmountReply,
  CurrencyReply,
  DateFromField,
  DateToField,
  MerchantIdField,
  SiteIdField,
} from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, flag, nullableCount } from '#core/kernel/schema/field-words.ts';
import { FormFields, OneOrMore } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { lookupProviders } from '../../lookup/lookup.ts';

export const LookupReportBody = FormFields({
  mid: v.optional(MerchantIdField),
  sid: v.optional(SiteIdField),
  provider: describeField(v.optional(OneOrMore(lookupProviders)), 'The provider that asked.'),
  date_from: v.optional(DateFromField),
  date_to: v.optional(DateToField),
});

export const LookupReport = v.object({
  lookups: count('The look-ups.'),
  found: count('How many showed their order.'),
  not_found: count('How many found none.'),
  multiple: count('How many fitted several orders, and showed none.'),
  refused: count('How many were about a merchant that may not be asked.'),
  error: count('How many failed or took too long.'),
  found_rate: nullableCount('Percent of all look-ups, one decimal; null without any.'),
  ce3_qualified: count('Found, and evidence by Compelling Evidence 3.0.'),
  open: count('Found less than 120 days ago, and no alert yet.'),
  disputed: count('How many were followed by an alert.'),
  deflected: count(
    'Found, and no alert within 120 days: an estimate, as a cardholder may never have meant to dispute.',
  ),
  saved: describeField(
    v.array(v.object({ currency: CurrencyReply, amount: AmountReply })),
    'What the deflected look-ups asked about, each order once; likewise an estimate.',
  ),
  saved_is_whole: flag('False where so many were deflected that only the newest are summed up.'),
});

export const lookupReportOperation = defineOperation('lookups/lookup-report', {
  tag: 'orders',
  summary: 'Sum up look-ups of orders and what came of them',
  description:
    'How often providers asked, how often their order was found, and what came of it, within dates or in all.',
  method: 'POST',
  path: '/api/v3/orders/lookups/report',
  auth: 'bearer',
  permission: 'reports:read',
  body: LookupReportBody,
  formats: ['json', 'form'],
  reply: LookupReport,
  errors: ['merchant_not_found', 'site_not_found'],
  grants: {
    table: ['GetItem', 'BatchGetItem'],
    indexes: ['list1f', 'list2f', 'list4f'],
  },
});
