import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import type { Operation } from '../../functions/core/operation.ts';
import { TransactionResult } from '../../functions/transactions/schemas.ts';
import { describeFields, describeParameter } from './describe-fields.ts';
import { refusalSchemas, refusalsOf } from './refusals.ts';
import { webhooks } from './webhooks.ts';

type Json = Record<string, unknown>;

/** Describes the declared operations as an OpenAPI 3.1 document. `exampleOf` answers an operation's sample body. */
export const openApiDocument = (
  operations: readonly Operation[],
  exampleOf: (operation: Operation) => unknown,
  version: string,
): Json => {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    for (const path of [operation.path, ...(operation.aliases ?? [])]) {
      const entry = describe(operation, path, exampleOf(operation));
      paths[path] = { ...paths[path], [operation.method.toLowerCase()]: entry };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Forewarn',
      version,
      description:
        'Dispute alerts before they become chargebacks, and the answers back; card payments and fraud checks. Where an operation ' +
        'names no security, a `hash` or `rcode` among its fields proves who calls. Every refusal has a `code` (of payments: `error_code`) that ' +
        'never changes, and words that may. Calls with a Bearer token name fields that they do not know in `warnings`; with the header ' +
        '`Prefer: handling=strict` such a call is refused instead.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:3000', description: 'The local stack' }],
    tags: tagsOf(operations),
    paths,
    webhooks: webhooks(describeFields('transactions', schemaOf(TransactionResult, 'output')) as Json),
    components: { securitySchemes, schemas: describedRefusals },
  };
};

/** They stand outside of any area. */
const describedRefusals = Object.fromEntries(
  Object.entries(refusalSchemas).map(([name, schema]) => [name, describeFields('', schema)]),
);

const tagsOf = (operations: readonly Operation[]) => {
  const used = new Set(operations.map(tagOf));
  const known = Object.keys(headings).filter((name) => used.has(name));
  const names = [...known, ...[...used].filter((name) => !known.includes(name))];
  return names.map((name) => ({ name, description: headings[name] ?? name }));
};

/** What providers call is for them alone to read. */
const tagOf = ({ area, tag = area, auth }: Operation): string => (auth === 'provider' ? 'providers' : tag);

/** What each heading says, in the order in which they are read. */
const headings: Readonly<Record<string, string>> = {
  alerts: 'Alerts of the card networks and the merchants’ answers',
  auth: 'Signing in',
  audit: 'Who set up, opened or closed what',
  merchants: 'Merchants, their retailers and sites, and what is set up for them',
  onboarding: 'A retailer and its alert site in one step',
  enrollments: 'Descriptors that alerts are matched by',
  datasources: 'The lists from which other operations take their codes and ids',
  notifications: 'What merchants are told, and what came of it',
  pricing: 'What a purchase comes to: payment options, fees and exchange rates',
  rules: 'Rules that decide alerts automatically',
  transactions: 'Card payments, and everything that is done to them',
  orders: 'What was bought, for banks to show to their cardholders',
  cardsearch: 'Finding transactions by their card',
  balance: 'What a payment site holds',
  processors: 'Where a site’s payments go, and what comes back from there',
  threeds: 'Native 3-D Secure: what a merchant’s server calls, and what the SDK in the payer’s page does',
  fraud: 'Checks of payments, alone or as part of them',
  providers: 'For alert providers: how alerts, decisions and look-ups of orders come in',
  documents: 'This document',
  dashboard: 'The page on which people use the service',
};

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A token of `gettoken`.' },
  site: { type: 'apiKey', in: 'header', name: 'rcode', description: 'The site’s secret.' },
  provider: {
    type: 'apiKey',
    in: 'header',
    name: 'x-signature',
    description: '`t=` seconds since 1970 `,v1=` the hex HMAC-SHA256 of `seconds.body`, with the provider’s secret.',
  },
};
const schemeOf = {
  public: [],
  bearer: ['bearer'],
  admin: ['bearer'],
  site: ['site'],
  provider: ['provider'],
  // Its token stands among the fields.
  client: [],
} as const;
const mediaType = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const;

/** A site proves itself by what stands in the call's fields, where they have it, and by its header elsewhere. */
const securityOf = ({ auth, params, body }: Operation): Json[] => {
  const fields = [params, body].flatMap((schema) => (schema ? Object.keys(propertiesOf(schema)) : []));
  if (auth === 'site' && fields.some((name) => name === 'hash' || name === 'rcode')) return [];
  return schemeOf[auth].map((scheme) => ({ [scheme]: [] }));
};

const propertiesOf = (schema: v.GenericSchema): Json => (schemaOf(schema, 'input')['properties'] ?? {}) as Json;

const describe = (operation: Operation, path: Operation['path'], example: unknown): Json => {
  const { name, summary, description, params, body, formats = ['json'] } = operation;
  const isAlias = path !== operation.path;
  return {
    operationId: `${tagOf(operation)}-${name}${isAlias ? `-${(operation.aliases ?? []).indexOf(path) + 2}` : ''}`,
    tags: [tagOf(operation)],
    summary,
    ...(description && { description }),
    security: securityOf(operation),
    parameters: parameters(tagOf(operation), params, path),
    ...(body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          formats.map((format) => [
            mediaType[format],
            {
              schema: describeFields(tagOf(operation), schemaOf(body, 'input')),
              ...((format === 'json' || formats.length === 1) && { example }),
            },
          ]),
        ),
      },
    }),
    responses: {
      ...otherReplies(operation),
      200: { description: 'Done', content: { [typeOf(operation)]: { schema: replyOf(operation) } } },
      ...refusalsOf(operation),
    },
  };
};

const warnings = {
  type: 'array',
  items: { type: 'string' },
  description: 'Fields of the call that have no meaning there and were ignored; there only if there are any.',
};

/** Management calls tell of fields that they do not know; see core/unknown-fields.ts. */
const replyOf = (operation: Operation): Json => {
  const { auth, body, reply, replyType } = operation;
  // A document of its own kind, sent as it is.
  if (replyType?.startsWith('application/json')) return { type: 'object' };
  const schema = describeFields(tagOf(operation), schemaOf(reply, 'output')) as Json;
  const tells = body !== undefined && (auth === 'bearer' || auth === 'admin') && schema['type'] === 'object';
  return tells ? { ...schema, properties: { ...(schema['properties'] as Json), warnings } } : schema;
};

/** A refusal of the same status is told beside it. */
const otherReplies = (operation: Operation): Json =>
  Object.fromEntries(
    Object.entries(operation.otherReplies ?? {}).map(([status, schema]) => [
      status,
      {
        description: 'Answered likewise',
        content: { 'application/json': { schema: describeFields(tagOf(operation), schemaOf(schema, 'output')) } },
      },
    ]),
  );

const typeOf = ({ replyType }: Operation): string => replyType?.split(';')[0] ?? 'application/json';

const parameters = (tag: string, params: v.GenericSchema | undefined, path: string): Json[] => {
  return Object.entries(params ? propertiesOf(params) : {}).map(([name, schema]) => {
    const inPath = path.includes(`{${name}}`);
    const description = describeParameter(tag, name);
    return { name, in: inPath ? 'path' : 'query', ...(description && { description }), required: inPath, schema };
  });
};

/** What a schema accepts or answers; checks that JSON Schema has no words for are left out. */
const schemaOf = (schema: v.GenericSchema, typeMode: 'input' | 'output'): Json => {
  const { $schema, ...rest } = toJsonSchema(typeMode === 'input' ? behind(schema) : schema, {
    typeMode,
    errorMode: 'ignore',
  });
  return rest as Json;
};

const isSchema = (value: unknown): value is v.GenericSchema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';

/**
 * The schema with every pipe that takes anything, and hands what it makes of it to another schema, replaced by that one:
 * such a pipe only forgives spellings (null or empty for absent), which a reader need not be told at every field.
 */
const behind = <S>(schema: S): S => {
  if (Array.isArray(schema)) return schema.map((one) => behind(one)) as S;
  if (!isSchema(schema)) return schema;
  const { type, pipe, entries, item, wrapped, options } = schema as v.GenericSchema & Record<string, unknown>;
  const inner = type === 'unknown' && Array.isArray(pipe) ? pipe.slice(1).find(isSchema) : undefined;
  // One that may be left out there may be null here: that is what such a pipe forgives.
  if (inner) return (inner.type === 'optional' ? v.nullable(behind(wrappedBy(inner))) : behind(inner)) as S;
  return {
    ...schema,
    ...(Array.isArray(pipe) && {
      pipe: [behind({ ...schema, pipe: undefined }), ...pipe.slice(1)].map(withoutEmptyPipe),
    }),
    ...(isObject(entries) && {
      entries: Object.fromEntries(Object.entries(entries).map(([key, one]) => [key, behind(one)])),
    }),
    ...(isSchema(item) && { item: behind(item) }),
    ...(isSchema(wrapped) && { wrapped: behind(wrapped) }),
    ...(Array.isArray(options) && { options: options.map((one) => behind(one)) }),
  };
};

const wrappedBy = (schema: v.GenericSchema): v.GenericSchema =>
  'wrapped' in schema && isSchema(schema.wrapped) ? schema.wrapped : schema;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const withoutEmptyPipe = (one: unknown): unknown => {
  if (!isObject(one) || one['pipe'] !== undefined) return one;
  const { pipe, ...rest } = one;
  return rest;
};
