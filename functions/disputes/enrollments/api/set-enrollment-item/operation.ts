import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Flag, Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { itemStatuses } from '../../enrollment-vocabulary.ts';
import { EnrollmentPath, itemName, oneAmong } from '../../schemas.ts';

export const ItemChange = v.object({
  ...itemName,
  status: describeField(
    v.picklist(itemStatuses, oneAmong(itemStatuses)),
    'PENDING, WAITING FOR PROVIDER, WAITING FOR ACTION, ENROLLED, FAILED or UNENROLLED.',
  ),
  overlap: v.optional(describeField(Flag, 'Enroll it although it overlaps with what another merchant has enrolled.')),
});

export const setEnrollmentItemOperation = defineOperation('enrollments/set-enrollment-item', {
  summary: 'Set the status of one item of an enrollment request',
  description:
    'For providers with which merchants are enrolled by hand. An item is named by its provider and descriptor; one of rdr may be ' +
    'named by `network_bin` and `network_caid`, or by `network_arn`, instead. ENROLLED is refused if another merchant has enrolled ' +
    'something that overlaps, unless `overlap` is true.',
  method: 'POST',
  path: '/api/v3/service_alerts/descriptor_enrollment/{id}/item',
  auth: 'admin',
  params: EnrollmentPath,
  body: ItemChange,
  reply: Ok,
  errors: ['enrollment_not_found', 'enrollment_overlap', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem'], indexes: ['list1'] },
});
