import * as v from 'valibot';
import {
  DateFromField,
  DateToField,
  DescriptorReply,
  IdentifierField,
  MerchantNameReply,
  MsgReply,
  SiteNameReply,
} from '#core/kernel/schema/field-schemas.ts';
import { describeField, nullableText } from '#core/kernel/schema/field-words.ts';
import { FormFields, Ids, OneOrMore, pageFields, WholeNumber } from '#core/kernel/schema/schema.ts';
import { Text } from '#core/kernel/schema/text.ts';
import { enrolledProviders } from '#disputes/providers/providers.ts';
import { itemStatuses } from './enrollment-vocabulary.ts';
import { EnrollmentRequestIdReply } from './field-schemas.ts';

export const oneAmong = (values: readonly string[]) => `must be one of ${values.join(', ')}`;
export const EnrolledProviderSchema = describeField(
  v.picklist(enrolledProviders, oneAmong(enrolledProviders)),
  'The provider to enroll with.',
);
export const Descriptor = describeField(Text(64), 'As it appears on the cardholder’s statement.');
export const networkFields = {
  network_bin: describeField(
    v.nullish(v.pipe(Text(8), v.regex(/^\d{6,8}$/, 'must be 6 to 8 digits'))),
    'The acquirer’s BIN, for `rdr`.',
  ),
  network_caid: describeField(v.nullish(Text(15)), 'The card acceptor ID, for `rdr`.'),
  network_arn: describeField(
    v.nullish(v.pipe(Text(23), v.regex(/^\d{23}$/, 'must be 23 digits'))),
    'An acquirer reference number, for `rdr`.',
  ),
};
export const EnrollmentCreated = v.object({
  status: describeField(
    v.literal('ok'),
    'PENDING, WAITING FOR PROVIDER, WAITING FOR ACTION, ENROLLED, FAILED or UNENROLLED.',
  ),
  msg: MsgReply,
  enrollment_request_id: EnrollmentRequestIdReply,
});
export const EnrollmentPath = v.object({ id: IdentifierField });

/** Names one item of a request: by its descriptor, or by its identifiers at the network. */
export const itemName = { provider: EnrolledProviderSchema, descriptor: v.nullish(Descriptor), ...networkFields };
const Status = v.picklist(itemStatuses);
export const entry = {
  descriptor: DescriptorReply,
  status: describeField(Status, 'PENDING, WAITING FOR PROVIDER, WAITING FOR ACTION, ENROLLED, FAILED or UNENROLLED.'),
  last_activity: nullableText('When it last changed.'),
};
export const matched = { match_type: nullableText('`Exact` or `Starts with`.') };
const text = v.nullable(v.string());
export const network = {
  mcc: describeField(text, 'The merchant category code (ISO 18245), four digits.'),
  network_bin: describeField(text, 'The acquirer’s BIN, for `rdr`.'),
  network_caid: describeField(text, 'The card acceptor ID, for `rdr`.'),
  network_arn: describeField(text, 'An acquirer reference number, for `rdr`.'),
  rdr_ruleset: describeField(text, 'The rules by which the network decides.'),
};
export const overallStatuses = [...itemStatuses, 'PARTIALLY ENROLLED'] as const;
const sortFields = [
  'request_date',
  'enrollment_request_id',
  'last_activity',
  'completed_at',
  'merchant_name',
  'site_name',
  'products',
  'status',
] as const;

export const ListEnrollments = FormFields({
  status: v.optional(describeField(OneOrMore(overallStatuses), 'Requests that have an item of any of these statuses.')),
  sid: describeField(v.optional(Ids), 'The site.'),
  rid: describeField(v.optional(Ids), 'The retailer.'),
  mid: describeField(v.optional(Ids), 'The merchant.'),
  date_from: v.optional(DateFromField),
  date_to: v.optional(DateToField),
  size: describeField(v.optional(WholeNumber(1, 500)), 'Required in JSON; 50 in a form that has none.'),
  offset: describeField(v.optional(WholeNumber(0, 1_000_000)), 'Required in JSON; 0 in a form that has none.'),
  order: pageFields.order,
  sort_field: describeField(
    v.optional(v.picklist(sortFields, oneAmong(sortFields)), 'request_date'),
    'What the list is ordered by.',
  ),
});

const listedEntry = { provider: EnrolledProviderSchema, ...entry };
export const EnrollmentSummary = v.object({
  enrollment_request_id: EnrollmentRequestIdReply,
  merchant_name: MerchantNameReply,
  site_name: SiteNameReply,
  products: describeField(v.string(), 'The providers, separated by commas.'),
  status: describeField(
    v.picklist(overallStatuses),
    'PENDING, WAITING FOR PROVIDER, WAITING FOR ACTION, ENROLLED, FAILED or UNENROLLED.',
  ),
  request_date: describeField(v.string(), 'When the request was made.'),
  last_activity: describeField(v.string(), 'When it last changed.'),
  completed_at: describeField(text, 'When the last item was decided; null while one is not.'),
  enrollment_items: describeField(
    v.array(v.union([v.object({ ...listedEntry, ...matched }), v.object({ ...listedEntry, ...network })])),
    'What to enroll, each with its providers.',
  ),
});
export type EnrollmentSummary = v.InferOutput<typeof EnrollmentSummary>;
