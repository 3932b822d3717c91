import * as v from 'valibot';
import { recordOf } from '#core/kernel/record-of.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { enrolledProviders, isEnrolledByNetwork } from '#disputes/providers/providers.ts';
import { EnrollmentPath, entry, matched, network, overallStatuses } from '../../schemas.ts';

const byDescriptor = v.object({ ...entry, ...matched });
const byNetwork = v.object({ ...entry, ...network });

/** A request with its items by product; only the products of the request are there. */
export const EnrollmentStatus = v.object({
  enrollment_request_id: v.number(),
  request_date: v.string(),
  merchant_name: v.string(),
  site_name: v.string(),
  products: v.string(),
  enrollment_request_status: v.picklist(overallStatuses),
  enrollment_request_items: v.object(
    recordOf(enrolledProviders, (provider) =>
      v.optional(v.array(isEnrolledByNetwork(provider) ? byNetwork : byDescriptor)),
    ),
  ),
});

export const enrollmentStatus = defineOperation({
  area: 'enrollments',
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
