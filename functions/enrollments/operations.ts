import { defineOperation } from '../core/operation.ts';
import { Ok } from '../core/schema.ts';
import { EnrollmentCreated, EnrollmentPath, ItemChange, NewEnrollment } from './schemas.ts';

const area = 'enrollments';

export const createEnrollment = defineOperation({
  area,
  name: 'create-enrollment',
  summary: 'Request the enrollment of descriptors with alert providers',
  method: 'POST',
  path: '/api/v3/service_alerts/descriptor_enrollment/create',
  auth: 'bearer',
  body: NewEnrollment,
  reply: EnrollmentCreated,
  errors: ['site_not_found', 'site_not_for_alerts'],
  grants: { table: ['GetItem', 'UpdateItem', 'PutItem'] },
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

export const enrollmentOperations = [createEnrollment, setEnrollmentItem] as const;
