import * as v from 'valibot';
import { Id, Text } from '../core/schema.ts';
import { EmailList } from '../merchants/schemas.ts';

export const providers = ['provider_a', 'provider_b', 'rdr'] as const;
export const matchTypes = ['Starts with', 'Exact'] as const;
export const itemStatuses = [
  'PENDING',
  'FAILED',
  'ENROLLED',
  'UNENROLLED',
  'WAITING FOR ACTION',
  'WAITING FOR PROVIDER',
] as const;

const oneOf = (values: readonly string[]) => `must be one of ${values.join(', ')}`;
const Provider = v.picklist(providers, oneOf(providers));
const Descriptor = Text(64);
const networkFields = {
  network_bin: v.nullish(v.pipe(Text(8), v.regex(/^\d{6,8}$/, 'must be 6 to 8 digits'))),
  network_caid: v.nullish(Text(15)),
  network_arn: v.nullish(v.pipe(Text(23), v.regex(/^\d{23}$/, 'must be 23 digits'))),
};

/** One item of a request. What its providers need besides is a rule of its own: see enrollment.ts. */
export const NewItem = v.object(
  {
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
  },
  'must be an object',
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

export const EnrollmentPath = v.object({ id: Id });

/** Names one item of a request: by its descriptor, or at rdr by what the network knows it by. */
export const ItemChange = v.object({
  provider: Provider,
  descriptor: v.nullish(Descriptor),
  ...networkFields,
  status: v.picklist(itemStatuses, oneOf(itemStatuses)),
});
