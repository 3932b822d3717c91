import * as v from 'valibot';
import { EmailList } from '#accounts/merchants/schemas.ts';
import { Id, Nested, Text } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { enrolledProviders } from '#disputes/providers/providers.ts';
import { fieldProblems } from '../../enrollment.ts';
import { Descriptor, EnrollmentCreated, networkFields, oneOf, Provider } from '../../schemas.ts';
import { matchTypes } from '../../vocabulary.ts';

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
      oneOf(enrolledProviders),
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

export const createEnrollment = defineOperation({
  area: 'enrollments',
  name: 'create-enrollment',
  summary: 'Request the enrollment of descriptors with alert providers',
  description:
    'With a header `idempotency-key`, repeating the call within a day gives the same answer and does nothing; another body with the ' +
    'same key is refused. An item that overlaps with what another merchant has enrolled waits for the administrator.',
  method: 'POST',
  path: '/api/v3/service_alerts/descriptor_enrollment/create',
  auth: 'bearer',
  roles: ['developer', 'manager'],
  body: NewEnrollment,
  reply: EnrollmentCreated,
  errors: ['site_not_found', 'site_not_for_alerts', 'idempotency_key_reused', 'descriptor_enrolled'],
  grants: { table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'PutItem'], indexes: ['list1'] },
  variables: ['ENROLLMENT_PROVIDER'],
});
