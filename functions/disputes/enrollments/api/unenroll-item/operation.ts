import * as v from 'valibot';
import { Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { EnrollmentPath, itemName } from '../../schemas.ts';

export const ItemNamed = v.object(itemName);

export const unenrollItemOperation = defineOperation('enrollments/unenroll-item', {
  summary: 'Unenroll one item of an enrollment request',
  description:
    'The item becomes UNENROLLED: from then on no alert is matched by it. It is named as in `set-enrollment-item`.',
  method: 'POST',
  path: '/api/v3/service_alerts/descriptor_enrollment/{id}/unenroll',
  auth: 'bearer',
  permission: 'settings',
  roles: ['developer', 'manager'],
  params: EnrollmentPath,
  body: ItemNamed,
  reply: Ok,
  errors: ['enrollment_not_found', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem'] },
});
