import { defineOperation } from '../core/operation.ts';
import { Ok } from '../core/schema.ts';
import {
  EnrollmentCreated,
  EnrollmentList,
  EnrollmentPath,
  EnrollmentStatus,
  ItemChange,
  ItemNamed,
  ListEnrollments,
  NewEnrollment,
} from './schemas.ts';

const area = 'enrollments';

export const createEnrollment = defineOperation({
  area,
  name: 'create-enrollment',
  summary: 'Request the enrollment of descriptors with alert providers',
  description:
    'With a header `idempotency-key`, the same call within a day answers the same and does nothing; another body with the ' +
    'same key is refused. An item that overlaps with what another merchant has enrolled is taken; `msg` names it.',
  method: 'POST',
  path: '/api/v3/service_alerts/descriptor_enrollment/create',
  auth: 'bearer',
  body: NewEnrollment,
  reply: EnrollmentCreated,
  errors: ['site_not_found', 'site_not_for_alerts', 'idempotency_key_reused'],
  grants: { table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'PutItem'], indexes: ['list1'] },
  variables: ['ENROLLMENT_PROVIDER'],
});

export const setEnrollmentItem = defineOperation({
  area,
  name: 'set-enrollment-item',
  summary: 'Set the status of one item of an enrollment request',
  description:
    'For providers that are enrolled with by hand. An item is named by its provider and descriptor; one of rdr may be ' +
    'named by `network_bin` and `network_caid`, or by `network_arn`, instead.',
  method: 'POST',
  path: '/api/v3/service_alerts/descriptor_enrollment/{id}/item',
  auth: 'admin',
  params: EnrollmentPath,
  body: ItemChange,
  reply: Ok,
  errors: ['enrollment_not_found', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem'] },
});

export const unenrollItem = defineOperation({
  area,
  name: 'unenroll-item',
  summary: 'Take one item of an enrollment request back',
  description:
    'The item becomes UNENROLLED: from then on no alert is matched by it. It is named as by `set-enrollment-item`.',
  method: 'POST',
  path: '/api/v3/service_alerts/descriptor_enrollment/{id}/unenroll',
  auth: 'bearer',
  params: EnrollmentPath,
  body: ItemNamed,
  reply: Ok,
  errors: ['enrollment_not_found', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem'] },
});

export const enrollmentStatus = defineOperation({
  area,
  name: 'enrollment-status',
  summary: 'Show an enrollment request with the status of its items',
  description: 'The request as a whole and each of its items, by product.',
  method: 'POST',
  path: '/api/v3/service_alerts/enrollment/status/{id}',
  auth: 'bearer',
  params: EnrollmentPath,
  reply: EnrollmentStatus,
  errors: ['enrollment_not_found'],
  grants: { table: ['GetItem'] },
});

export const listEnrollments = defineOperation({
  area,
  name: 'list-enrollments',
  summary: 'List enrollment requests',
  description:
    'Ids that do not exist, or belong to others, have no requests. Sorted by anything but the date of request, at most ' +
    '1,000 requests can be listed.',
  method: 'POST',
  path: '/api/v3/service_alerts/descriptor_enrollments',
  auth: 'bearer',
  body: ListEnrollments,
  formats: ['form', 'json'],
  reply: EnrollmentList,
  errors: [],
  grants: {
    table: ['GetItem', 'BatchGetItem'],
    indexes: ['list1', 'list1f', 'list2', 'list2f', 'list3', 'list3f', 'list4', 'list4f'],
  },
});

export const enrollmentOperations = [
  createEnrollment,
  setEnrollmentItem,
  unenrollItem,
  enrollmentStatus,
  listEnrollments,
] as const;
