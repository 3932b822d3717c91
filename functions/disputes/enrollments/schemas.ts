import * as v from 'valibot';
import {
  FormFields,
  FromTime,
  Id,
  Ids,
  OneOrMore,
  pageFields,
  Text,
  ToTime,
  WholeNumber,
} from '#core/kernel/schema/schema.ts';
import { enrolledProviders } from '#disputes/providers/providers.ts';
import { itemStatuses } from './vocabulary.ts';

export const oneOf = (values: readonly string[]) => `must be one of ${values.join(', ')}`;
export const Provider = v.picklist(enrolledProviders, oneOf(enrolledProviders));
export const Descriptor = Text(64);
export const networkFields = {
  network_bin: v.nullish(v.pipe(Text(8), v.regex(/^\d{6,8}$/, 'must be 6 to 8 digits'))),
  network_caid: v.nullish(Text(15)),
  network_arn: v.nullish(v.pipe(Text(23), v.regex(/^\d{23}$/, 'must be 23 digits'))),
};
export const EnrollmentCreated = v.object({
  status: v.literal('ok'),
  msg: v.string(),
  enrollment_request_id: v.number(),
});
export type EnrollmentAnswer = v.InferOutput<typeof EnrollmentCreated>;

export const EnrollmentPath = v.object({ id: Id });

/** Names one item of a request: by its descriptor, or by its identifiers at the network. */
export const itemName = { provider: Provider, descriptor: v.nullish(Descriptor), ...networkFields };
const Status = v.picklist(itemStatuses);
export const entry = { descriptor: v.string(), status: Status, last_activity: v.nullable(v.string()) };
export const matched = { match_type: v.nullable(v.string()) };
const text = v.nullable(v.string());
export const network = { mcc: text, network_bin: text, network_caid: text, network_arn: text, rdr_ruleset: text };
export const overallStatuses = [...itemStatuses, 'PARTIALLY ENROLLED'] as const;
export const sortFields = [
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
  sid: v.optional(Ids),
  rid: v.optional(Ids),
  mid: v.optional(Ids),
  date_from: v.optional(FromTime),
  date_to: v.optional(ToTime),
  size: v.pipe(v.optional(WholeNumber(1, 500)), v.description('Required in JSON; 50 in a form that has none.')),
  offset: v.pipe(v.optional(WholeNumber(0, 1_000_000)), v.description('Required in JSON; 0 in a form that has none.')),
  order: pageFields.order,
  sort_field: v.optional(v.picklist(sortFields, oneOf(sortFields)), 'request_date'),
});

const listedEntry = { provider: Provider, ...entry };
export const EnrollmentSummary = v.object({
  enrollment_request_id: v.number(),
  merchant_name: v.string(),
  site_name: v.string(),
  products: v.string(),
  status: v.picklist(overallStatuses),
  request_date: v.string(),
  last_activity: v.string(),
  completed_at: v.pipe(text, v.description('When the last item was decided; null while one is not.')),
  enrollment_items: v.array(
    v.union([v.object({ ...listedEntry, ...matched }), v.object({ ...listedEntry, ...network })]),
  ),
});
export type EnrollmentSummary = v.InferOutput<typeof EnrollmentSummary>;
