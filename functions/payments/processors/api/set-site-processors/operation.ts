import * as v from 'valibot';
import { MerchantCurrency, SidPath } from '#accounts/merchants/schemas.ts';
import { schemes } from '#core/kernel/card/schemes.ts';
import { SiteIdReply, StatusOkField } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { AtMost, allowsCardNumbers, Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { processorNames } from '../../ports/processors.ts';
import { siteCredentials } from '../../registered/credential-words.ts';
import { RouteReply } from '../../schemas.ts';

const maxRoutes = 20;

const limitWords = 'must be a decimal such as 10.50, without separators, sign or exponent';

/** In the currency of the payment. */
const Limit = v.optional(
  v.nullable(
    v.pipe(
      v.union([v.string(), v.number()], limitWords),
      v.transform(String),
      v.regex(/^(?:0|[1-9]\d{0,14})(?:\.\d{1,4})?$/, limitWords),
    ),
  ),
  null,
);

/** Absent, null and empty: all. */
const Some = <S extends v.GenericSchema>(one: S, words: string) =>
  v.pipe(
    v.optional(v.nullable(v.pipe(v.array(one, words), v.maxLength(200, 'must have at most 200 entries'))), null),
    v.transform((list) => (list === null || list.length === 0 ? null : [...new Set(list)])),
  );

const Scheme = v.picklist(schemes, `must be one of ${schemes.join(', ')}`);

const RouteBody = v.object({
  id: describeField(v.optional(Text(40)), 'The account.'),
  processor: describeField(v.picklist(processorNames, `must be one of ${processorNames.join(', ')}`), 'The processor.'),
  credentials: describeField(
    v.optional(
      v.pipe(v.record(v.string(), v.unknown(), 'must be an object'), AtMost(20_000), allowsCardNumbers('sealed')),
    ),
    'What the other side has given you to sign in with; never shown again.',
  ),
  schemes: describeField(Some(Scheme, 'must be a list of card schemes'), 'Card schemes, such as VISA; all if empty.'),
  currencies: describeField(
    Some(MerchantCurrency, 'must be a list of currency codes'),
    'Currencies (ISO 4217); all if empty.',
  ),
  min: describeField(Limit, 'The least amount.'),
  max: describeField(Limit, 'The largest amount.'),
});

export const ProcessorsBody = v.object({
  routes: v.pipe(
    v.array(RouteBody, 'must be a list of routes'),
    v.maxLength(maxRoutes, `must have at most ${maxRoutes} routes`),
    v.description('Which processor takes which payments; the first that fits is asked first.'),
  ),
});

export const ProcessorsSaved = v.object({
  status: StatusOkField,
  sid: SiteIdReply,
  routes: describeField(
    v.array(RouteReply),
    'Which processor takes which payments; the first that fits is asked first.',
  ),
});

export const setSiteProcessorsOperation = defineOperation('processors/set-site-processors', {
  summary: "Set a payment site's processors",
  description:
    'Replaces all routes; a payment uses the first one that accepts its scheme, currency and amount, and moves on to the next only ' +
    'if the processor itself could not do it. Absent `schemes` or `currencies`: all. Credentials ' +
    `${siteCredentials}. They ` +
    'are kept encrypted and never shown again. A route with the `id` of an account may leave them out, or bring new ones for it. ' +
    'Payments of an account that nothing is routed to any more are still refunded there.',
  method: 'POST',
  path: '/api/v3/site/{sid}/processors',
  auth: 'bearer',
  permission: 'settings:money',
  siteKeys: 'named',
  roles: ['manager'],
  params: SidPath,
  body: ProcessorsBody,
  reply: ProcessorsSaved,
  errors: ['site_not_found', 'site_not_for_payments', 'changed_meanwhile'],
  grants: { table: ['BatchGetItem', 'PutItem'], secrets: ['encryption'] },
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP'],
  diverts: 'money',
  auditValues: {
    changed: {
      ...{ 'routes.*.processor': 'value', 'routes.*.schemes': 'value', 'routes.*.currencies': 'value' },
      ...{ 'routes.*.min': 'value', 'routes.*.max': 'value' },
    },
  },
});
