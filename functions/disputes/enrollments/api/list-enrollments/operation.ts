import * as v from 'valibot';
import { TotalResultReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { EnrollmentSummary, ListEnrollments } from '../../schemas.ts';

export const EnrollmentList = v.object({
  list: describeField(v.array(EnrollmentSummary), 'One page, the newest first unless `order` says otherwise.'),
  totalResult: TotalResultReply,
});

export const listEnrollmentsOperation = defineOperation('enrollments/list-enrollments', {
  summary: 'List enrollment requests',
  description:
    'Ids that do not exist, or belong to others, have no requests. Sorted by anything but the date of request, at most ' +
    '1,000 requests can be listed.',
  method: 'POST',
  path: '/api/v3/service_alerts/descriptor_enrollments',
  auth: 'bearer',
  permission: 'settings:read',
  body: ListEnrollments,
  formats: ['form', 'json'],
  reply: EnrollmentList,
  errors: [],
  grants: {
    table: ['GetItem', 'BatchGetItem'],
    indexes: ['list1', 'list1f', 'list2', 'list2f', 'list3', 'list3f', 'list4', 'list4f'],
  },
});
