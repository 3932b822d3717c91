import * as v from 'valibot';
import { EmailList } from '#accounts/merchants/schemas.ts';
import { isFields } from '#core/kernel/is-object.ts';
import { SiteIdField } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Nested } from '#core/kernel/schema/schema.ts';
import { Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { enrolledProviders } from '#disputes/providers/providers.ts';
import { fieldProblems } from '../../enrollment.ts';
import { matchTypes } from '../../enrollment-vocabulary.ts';
import { Descriptor, EnrolledProviderSchema, EnrollmentCreated, networkFields, oneAmong } from '../../schemas.ts';

const ItemFields = Nested({
  provider: v.pipe(
    v.union(
      [
        v.array(EnrolledProviderSchema),
        v.pipe(
          EnrolledProviderSchema,
          v.transform((one) => [one]),
        ),
      ],
      oneAmong(enrolledProviders),
    ),
    v.minLength(1, 'must name at least one provider'),
    v.transform((list) => [...new Set(list)]),
    v.description('The providers to enroll with.'),
  ),
  descriptor: v.nullish(Descriptor),
  match_type: describeField(v.nullish(v.picklist(matchTypes, oneAmong(matchTypes))), '`Exact` or `Starts with`.'),
  mcc: describeField(
    v.nullish(v.pipe(Text(4), v.regex(/^\d{4}$/, 'must be 4 digits'))),
    'The merchant category code (ISO 18245), four digits.',
  ),
  ...networkFields,
  rdr_ruleset: describeField(v.nullish(Text(200)), 'The rules by which the network decides.'),
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
  sid: SiteIdField,
  email_cc_list: describeField(
    v.optional(EmailList, ''),
    'Who else is mailed about the request, separated by commas. Needs a fresh sign-in, or an API key that also has `settings:data`.',
  ),
  enrollment_items: v.pipe(
    v.array(NewItem, 'must be a list'),
    v.minLength(1, 'must have at least one item'),
    v.maxLength(100, 'must have at most 100 items'),
    v.description('What to enroll, each with its providers.'),
  ),
});

/** Copies of the request go to addresses of people who do not use Forewarn. */
const namesCopies = (body: unknown): boolean => isFields(body) && Boolean(body['email_cc_list']);

export const createEnrollmentOperation = defineOperation('enrollments/create-enrollment', {
  summary: 'Request the enrollment of descriptors with alert providers',
  description: 'An item that overlaps with what another merchant has enrolled waits for the administrator.',
  method: 'POST',
  path: '/api/v3/service_alerts/descriptor_enrollment/create',
  auth: 'bearer',
  permission: 'settings',
  diverts: 'data',
  divertsIf: namesCopies,
  idempotent: true,
  roles: ['developer', 'manager'],
  body: NewEnrollment,
  reply: EnrollmentCreated,
  errors: ['site_not_found', 'site_not_for_alerts', 'descriptor_enrolled'],
  grants: { table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'PutItem'], indexes: ['list1'] },
  variables: ['ENROLLMENT_PROVIDER'],
});
