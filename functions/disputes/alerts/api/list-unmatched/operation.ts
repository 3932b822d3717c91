import * as v from 'valibot';
import { DateFromField, DateToField } from '#core/kernel/schema/field-schemas.ts';
import { FormFields, pageFields, pageReply } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { UnmatchedSummary } from '../../schemas.ts';

export const UnmatchedPage = pageReply(UnmatchedSummary);

export const ListUnmatched = FormFields({
  date_from: v.optional(DateFromField),
  date_to: v.optional(DateToField),
  ...pageFields,
});

export const listUnmatchedOperation = defineOperation('alerts/list-unmatched', {
  summary: 'List alerts that match no merchant, or more than one',
  description: 'Newest first, each with the reason. `assign` gives one to a site. For administrators.',
  method: 'POST',
  path: '/api/v3/service_alerts/unmatched',
  auth: 'admin',
  body: ListUnmatched,
  formats: ['json', 'form'],
  reply: UnmatchedPage,
  errors: [],
  grants: { table: ['GetItem'], indexes: ['list1'] },
});
