import * as v from 'valibot';
import { makeRecord } from '#core/kernel/record-of.ts';
import { MerchantNameReply, SiteNameReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { enrolledProviders, isEnrolledByNetwork } from '#disputes/providers/providers.ts';
import { EnrollmentRequestIdReply } from '../../field-schemas.ts';
import { EnrollmentPath, entry, matched, network, overallStatuses } from '../../schemas.ts';

const byDescriptor = v.object({ ...entry, ...matched });
const byNetwork = v.object({ ...entry, ...network });

/** A request with its items by product; only the products of the request are there. */
export const EnrollmentStatus = v.object({
  enrollment_request_id: EnrollmentRequestIdReply,
  request_date: text('When the request was made.'),
  merchant_name: MerchantNameReply,
  site_name: SiteNameReply,
  products: text('The providers, separated by commas.'),
  enrollment_request_status: describeField(v.picklist(overallStatuses), 'The overall status of the items.'),
  enrollment_request_items: describeField(
    v.object(
      makeRecord(enrolledProviders, (provider) =>
        describeField(
          v.optional(v.array(isEnrolledByNetwork(provider) ? byNetwork : byDescriptor)),
          `Items at ${provider}.`,
        ),
      ),
    ),
    'The items, by product.',
  ),
});

export const enrollmentStatusOperation = defineOperation('enrollments/enrollment-status', {
  summary: 'Show an enrollment request with the status of its items',
  description: 'The request as a whole and each of its items, by product.',
  method: 'POST',
  path: '/api/v3/service_alerts/enrollment/status/{id}',
  auth: 'bearer',
  permission: 'settings:read',
  params: EnrollmentPath,
  reply: EnrollmentStatus,
  errors: ['enrollment_not_found'],
  grants: { table: ['GetItem'] },
});
