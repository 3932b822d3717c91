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
import { FormFields, Ids, OneOrMore, pageFields, WholeNumber } from '#core/kernel/schema/schema.ts';
import { Text } from '#core/kernel/schema/text.ts';
import { enrolledProviders } from '#disputes/providers/providers.ts';
import { itemStatuses } from './enrollment-vocabulary.ts';
import { EnrollmentRequestIdReply } from './field-schemas.ts';

export const oneOf = (values: readonly string[]) => `must be one of ${values.join(', ')}`;
export const EnrolledProviderSchema = v.pipe(
  v.picklist(enrolledProviders, oneOf(enrolledProviders)),
  v.description('The providers to enroll with.'),
);
export const Descriptor = v.pipe(Text(64), v.description('As it appears on the cardholder’s statement.'));
export const networkFields = {
  network_bin: v.pipe(
    v.nullish(v.pipe(Text(8), v.regex(/^\d{6,8}$/, 'must be 6 to 8 digits'))),
    v.description('The acquirer’s BIN, for `rdr`.'),
  ),
  network_caid: v.pipe(v.nullish(Text(15)), v.description('The card acceptor ID, for `rdr`.')),
  network_arn: v.pipe(
    v.nullish(v.pipe(Text(23), v.regex(/^\d{23}$/, 'must be 23 digits'))),
    v.description('An acquirer reference number, for `rdr`.'),
  ),
};
export const EnrollmentCreated = v.object({
  status: v.pipe(
    v.literal('ok'),
    v.description('PENDING, WAITING FOR PROVIDER, WAITING FOR ACTION, ENROLLED, FAILED or UNENROLLED.'),
  ),
  msg: MsgReply,
  enrollment_request_id: EnrollmentRequestIdReply,
});
export type EnrollmentAnswer = v.InferOutput<typeof EnrollmentCreated>;

export const EnrollmentPath = v.object({ id: IdentifierField });

/** Names one item of a request: by its descriptor, or by its identifiers at the network. */
export const itemName = { provider: EnrolledProviderSchema, descriptor: v.nullish(Descriptor), ...networkFields };
const Status = v.picklist(itemStatuses);
export const entry = {
  descriptor: DescriptorReply,
  status: v.pipe(
    Status,
    v.description('PENDING, WAITING FOR PROVIDER, WAITING FOR ACTION, ENROLLED, FAILED or UNENROLLED.'),
  ),
  last_activity: v.pipe(v.nullable(v.string()), v.description('When it last changed.')),
};
export const matched = { match_type: v.pipe(v.nullable(v.string()), v.description('`Exact` or `Starts with`.')) };
const text = v.nullable(v.string());
export const network = {
  mcc: v.pipe(text, v.description('The merchant category code (ISO 18245), four digits.')),
  network_bin: v.pipe(text, v.description('The acquirer’s BIN, for `rdr`.')),
  network_caid: v.pipe(text, v.description('The card acceptor ID, for `rdr`.')),
  network_arn: v.pipe(text, v.description('An acquirer reference number, for `rdr`.')),
  rdr_ruleset: v.pipe(text, v.description('The rules by which the network decides.')),
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
  status: v.optional(
    v.pipe(OneOrMore(overallStatuses), v.description('Requests that have an item of any of these statuses.')),
  ),
  sid: v.pipe(v.optional(Ids), v.description('The site.')),
  rid: v.pipe(v.optional(Ids), v.description('The retailer.')),
  mid: v.pipe(v.optional(Ids), v.description('The merchant.')),
  date_from: v.optional(DateFromField),
  date_to: v.optional(DateToField),
  size: v.pipe(v.optional(WholeNumber(1, 500)), v.description('Required in JSON; 50 in a form that has none.')),
  offset: v.pipe(v.optional(WholeNumber(0, 1_000_000)), v.description('Required in JSON; 0 in a form that has none.')),
  order: pageFields.order,
  sort_field: v.pipe(
    v.optional(v.picklist(sortFields, oneOf(sortFields)), 'request_date'),
    v.description('What the list is ordered by.'),
  ),
});

const listedEntry = { provider: EnrolledProviderSchema, ...entry };
export const EnrollmentSummary = v.object({
  enrollment_request_id: EnrollmentRequestIdReply,
  merchant_name: MerchantNameReply,
  site_name: SiteNameReply,
  products: v.pipe(v.string(), v.description('The providers, separated by commas.')),
  status: v.pipe(
    v.picklist(overallStatuses),
    v.description('PENDING, WAITING FOR PROVIDER, WAITING FOR ACTION, ENROLLED, FAILED or UNENROLLED.'),
  ),
  request_date: v.pipe(v.string(), v.description('When the request was made.')),
  last_activity: v.pipe(v.string(), v.description('When it last changed.')),
  completed_at: v.pipe(text, v.description('When the last item was decided; null while one is not.')),
  enrollment_items: v.pipe(
    v.array(v.union([v.object({ ...listedEntry, ...matched }), v.object({ ...listedEntry, ...network })])),
    v.description('What to enroll, each with its providers.'),
  ),
});
export type EnrollmentSummary = v.InferOutput<typeof EnrollmentSummary>;
