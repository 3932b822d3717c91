import * as v from 'valibot';
import {
  AlertIdField,
  DateFromField,
  DateToField,
  MerchantIdField,
  SiteIdField,
} from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { FormFields, OneOrMore, pageFields, pageReply } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { outcomeStates } from '#disputes/alerts/answer/network-outcome.ts';
import { outcomeProviders } from '#disputes/providers/providers.ts';
import { NetworkOutcomeSummarySchema } from '../../schemas.ts';

/** Which outcomes to list. `date_from` and `date_to` are about when the update was accepted. */
export const ListOutcomes = FormFields({
  state: describeField(
    v.optional(OneOrMore(outcomeStates)),
    'PENDING, ACCEPTED, REFUSED, EXPIRED, SUPERSEDED or MANUAL.',
  ),
  provider: describeField(v.optional(OneOrMore(outcomeProviders)), 'The alert provider.'),
  mid: v.optional(MerchantIdField),
  sid: v.optional(SiteIdField),
  alert_id: v.optional(AlertIdField),
  date_from: v.optional(DateFromField),
  date_to: v.optional(DateToField),
  ...pageFields,
});

export const listOutcomesOperation = defineOperation('outcomes/list-outcomes', {
  summary: 'List outcomes that were, or will be, reported to providers',
  description:
    'Newest first: one entry for each accepted update of an alert of provider_a or provider_b, filtered by state, provider, merchant, site, alert and date. In the list of its alert the first one appears immediately, in other lists from its first attempt on.',
  method: 'POST',
  path: '/api/v3/service_alerts/outcomes/list',
  auth: 'bearer',
  permission: 'alerts:read',
  siteKeys: 'named',
  body: ListOutcomes,
  formats: ['json', 'form'],
  reply: pageReply(NetworkOutcomeSummarySchema),
  errors: ['merchant_not_found', 'site_not_found', 'alert_not_found'],
  grants: {
    table: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    indexes: ['list1', 'list1f', 'list2', 'list2f', 'list4', 'list4f'],
  },
});
