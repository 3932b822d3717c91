import * as v from 'valibot';
import {
  FormFields,
  FromTime,
  Id,
  Ids,
  Nested,
  OneOrMore,
  pageFields,
  Text,
  ToTime,
  WholeNumber,
} from '../core/schema.ts';
import { EmailList } from '../merchants/schemas.ts';
import { fieldProblems } from './enrollment.ts';
import { itemStatuses, matchTypes, providers } from './vocabulary.ts';

const oneOf = (values: readonly string[]) => `must be one of ${values.join(', ')}`;
const Provider = v.picklist(providers, oneOf(providers));
const Descriptor = Text(64);
const networkFields = {
  network_bin: v.nullish(v.pipe(Text(8), v.regex(/^\d{6,8}$/, 'must be 6 to 8 digits'))),
  network_caid: v.nullish(Text(15)),
  network_arn: v.nullish(v.pipe(Text(23), v.regex(/^\d{23}$/, 'must be 23 digits'))),
};

const ItemFields = Nested({
  provider: v.pipe(
    v.union(
      [
        v.array(Provider),
        v.pipe(
          Provider,
          v.transform((one) => [one]),
        ),
      ],
      oneOf(providers),
    ),
    v.minLength(1, 'must name at least one provider'),
    v.transform((list) => [...new Set(list)]),
  ),
  descriptor: v.nullish(Descriptor),
  match_type: v.nullish(v.picklist(matchTypes, oneOf(matchTypes))),
  mcc: v.nullish(v.pipe(Text(4), v.regex(/^\d{4}$/, 'must be 4 digits'))),
  ...networkFields,
  rdr_ruleset: v.nullish(Text(200)),
});

/** One item of a request, with what its providers need. Checked here, so that each wrong item of a request is named. */
export const NewItem = v.pipe(
  ItemFields,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const input = dataset.value;
    for (const { field: key, words } of fieldProblems(input)) {
      addIssue({ message: words, path: [{ type: 'object', origin: 'value', input, key, value: input[key] }] });
    }
  }),
);

export const NewEnrollment = v.object({
  sid: Id,
  email_cc_list: v.optional(EmailList, ''),
  enrollment_items: v.pipe(
    v.array(NewItem, 'must be a list'),
    v.minLength(1, 'must have at least one item'),
    v.maxLength(100, 'must have at most 100 items'),
  ),
});

export const EnrollmentCreated = v.object({
  status: v.literal('ok'),
  msg: v.string(),
  enrollment_request_id: v.number(),
});
export type EnrollmentAnswer = v.InferOutput<typeof EnrollmentCreated>;

export const EnrollmentPath = v.object({ id: Id });

/** Names one item of a request: by its descriptor, or at rdr by what the network knows it by. */
const itemName = { provider: Provider, descriptor: v.nullish(Descriptor), ...networkFields };
export const ItemNamed = v.object(itemName);
export const ItemChange = v.object({
  ...itemName,
  status: v.picklist(itemStatuses, oneOf(itemStatuses)),
});

const Status = v.picklist(itemStatuses);
const entry = { descriptor: v.string(), status: Status, last_activity: v.nullable(v.string()) };
const matched = { match_type: v.nullable(v.string()) };
const text = v.nullable(v.string());
const network = { mcc: text, network_bin: text, network_caid: text, network_arn: text, rdr_ruleset: text };
const overallStatuses = [...itemStatuses, 'PARTIALLY ENROLLED'] as const;

/** A request with its items by product; only the products of the request are there. */
export const EnrollmentStatus = v.object({
  enrollment_request_id: v.number(),
  request_date: v.string(),
  merchant_name: v.string(),
  site_name: v.string(),
  products: v.string(),
  enrollment_request_status: v.picklist(overallStatuses),
  enrollment_request_items: v.object({
    provider_a: v.optional(v.array(v.object({ ...entry, ...matched }))),
    provider_b: v.optional(v.array(v.object({ ...entry, ...matched }))),
    rdr: v.optional(v.array(v.object({ ...entry, ...network }))),
  }),
});

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
export const EnrollmentList = v.object({ list: v.array(EnrollmentSummary), totalResult: v.number() });
