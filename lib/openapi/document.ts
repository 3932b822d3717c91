import type { GenericSchema } from 'valibot';
import { isObject } from '#core/kernel/is-object.ts';
import { rewritesFields } from '#core/platform/http/rewritten-fields.ts';
import type { Operation } from '#core/platform/operation/operation.ts';
import { TransactionResultSchema } from '#payments/transactions/schemas.ts';
import { createNaming, type Naming, typeName } from './components.ts';
import { headings } from './headings.ts';
import { asArray, asObject } from './json-parts.ts';
import { fieldsIn, toSchema } from './json-schema.ts';
import { refusalExamples, refusalSchemas, toRefusals } from './refusals.ts';
import { isFormOfLists, requestBodyOf } from './request-body.ts';
import { securitySchemes, toSecurity } from './security.ts';
import { shareRefusals } from './shared-refusals.ts';
import { webhooks } from './webhooks.ts';

type Json = Record<string, unknown>;

/** Examples of a call and of its answer. `parameters`: values by name. `isForPages`: people do not write such a call by hand. */
export type Examples = {
  body: unknown;
  parameters: Readonly<Record<string, string>>;
  isForPages: boolean;
  reply?: unknown;
};

/** Describes the declared operations as an OpenAPI 3.1 document, in the order in which their headings are read. */
export const openApiDocument = (
  operations: readonly Operation[],
  examplesOf: (operation: Operation) => Examples,
  version: string,
): Json => {
  const described = inReadingOrder(operations).flatMap((operation) =>
    [operation.path, ...(operation.aliases ?? [])].map((path) => ({
      ...{ path, operation },
      entry: describe(operation, path, examplesOf(operation)),
    })),
  );
  const naming = createNaming(described.flatMap(({ entry }) => schemasIn(entry)));
  const paths: Record<string, Json> = {};
  for (const { path, operation, entry } of described) {
    const name = schemaName(operations, operation);
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: withNames(entry, name, naming) };
  }
  const sharedRefusals = shareRefusals(Object.values(paths).flatMap((methods) => Object.values(methods)));
  const calls = webhooks(naming.nameSchema(toSchema(TransactionResultSchema, 'output'), 'TransactionResult') as Json);
  return {
    openapi: '3.1.0',
    info: { title: 'Forewarn', version, ...about },
    servers,
    tags: listTags(operations),
    'x-tagGroups': groupTags(operations),
    paths,
    webhooks: calls,
    components: {
      securitySchemes,
      headers: responseHeaders,
      examples: byName(refusalExamples(operations)),
      responses: byName(sharedRefusals),
      schemas: byName({ ...refusalSchemas, ...naming.schemas() }),
    },
  };
};

/** In the order of their names, so that a change moves nothing else in the document. */
const byName = (parts: Json): Json =>
  Object.fromEntries(Object.entries(parts).sort(([left], [right]) => (left < right ? -1 : 1)));

const about: Json = {
  description:
    'Dispute alerts before they become chargebacks, and the answers back; card payments and fraud checks. Where an operation ' +
    'names no security, a `hash` or `rcode` among its fields proves who calls. Every refusal has a `code` (of payments: `error_code`) that ' +
    'never changes, and words that may. Calls with a Bearer token name fields that they do not know in `warnings`; with the header ' +
    '`Prefer: handling=strict` such a call is refused instead. `HEAD` works wherever `GET` does; any other method is 405, and `Allow` ' +
    'names those that a path takes. A field that may be left out is often left out by an empty text as well, as forms send it.',
  contact: { name: 'The operator of the service that you call' },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

const servers: readonly Json[] = [
  { url: 'http://127.0.0.1:3000', description: 'The local stack' },
  {
    url: 'https://{host}',
    description: 'A deployed stage, by the domain that was set up for it',
    variables: {
      host: { default: 'api.example.com', description: 'The host, with the stage’s path if it has one.' },
    },
  },
];

/** Two areas may have operations of one name. */
const schemaName = (operations: readonly Operation[], operation: Operation): string => {
  const isAlone = operations.filter(({ name }) => name === operation.name).length === 1;
  return typeName(isAlone ? operation.name : `${pickTag(operation)}-${operation.name}`);
};

const schemasIn = (entry: Json): unknown[] =>
  [entry['requestBody'], ...Object.values(fieldsIn(entry, 'responses'))].flatMap((part) =>
    Object.values(fieldsIn(part, 'content')).map((one) => (isObject(one) ? one['schema'] : undefined)),
  );

/** An operation's entry, its schemas replaced by references to those that have names. */
const withNames = (entry: Json, name: string, naming: Naming): Json => {
  const change = (part: unknown, ownName: (type: string, schema: unknown) => string): Json => ({
    ...(isObject(part) && part),
    content: Object.fromEntries(
      Object.entries(fieldsIn(part, 'content')).map(([type, one]) => {
        if (!isObject(one)) return [type, one];
        return [type, { ...one, schema: naming.nameSchema(one['schema'], ownName(type, one['schema'])) }];
      }),
    ),
  });
  const responses = Object.entries(fieldsIn(entry, 'responses')).map(([status, part]) => {
    const isRefusal = Number(status) >= 400;
    return [status, isRefusal ? part : change(part, () => `${name}Response${status === '200' ? '' : status}`)];
  });
  const { requestBody, parameters } = entry;
  return {
    ...entry,
    parameters: asArray(parameters).map((one) => ({
      ...asObject(one),
      schema: naming.parts(asObject(one)['schema'], name),
    })),
    ...(isObject(requestBody) && {
      requestBody: change(requestBody, (type, schema) => `${name}${isFormOfLists(type, schema) ? 'Form' : 'Request'}`),
    }),
    responses: Object.fromEntries(responses),
  };
};

/** The calls of providers are described for providers alone. */
const pickTag = ({ area, tag = area, auth }: Operation): string => (auth === 'provider' ? 'providers' : tag);

const inReadingOrder = (operations: readonly Operation[]): Operation[] => {
  const places = new Map(headings.map(({ name }, index) => [name, index]));
  const placeOf = (operation: Operation) => {
    const place = places.get(pickTag(operation));
    if (place === undefined) throw new Error(`lib/openapi/headings.ts has no heading for ${pickTag(operation)}.`);
    return place;
  };
  return operations.toSorted((left, right) => placeOf(left) - placeOf(right));
};

const usedHeadings = (operations: readonly Operation[]) => {
  const used = new Set(operations.map(pickTag));
  return headings.filter(({ name }) => used.has(name));
};

const listTags = (operations: readonly Operation[]) =>
  usedHeadings(operations).map(({ name, title, description }) => ({ name, 'x-displayName': title, description }));

const groupTags = (operations: readonly Operation[]) =>
  [...Map.groupBy(usedHeadings(operations), ({ readers }) => readers)].map(([name, own]) => ({
    name,
    tags: own.map((heading) => heading.name),
  }));

const responseHeaders = {
  RequestId: {
    description: 'The id of this call. Quote it when you ask about the call, as the logs have it.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'In how many seconds to try again.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
  IdempotentReplayed: {
    description: '`true` if this is the answer to an earlier call with the same `idempotency-key`.',
    schema: { type: 'string', const: 'true' },
  },
} as const;

const idempotencyKey = {
  name: 'idempotency-key',
  in: 'header',
  description:
    'A text of your own, such as a UUID, that names this call. Repetitions with the same key and body return the first answer for 24 hours and do nothing.',
  required: false,
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
};

const signature = {
  name: 'x-signature',
  in: 'header',
  description:
    'In place of `hash` and `timestamp`: `t=` and Unix seconds, `,v1=` and the hexadecimal HMAC-SHA256 of that time, a full stop and the body, ' +
    'with the rcode as key. Good for five minutes.',
  required: false,
  schema: { type: 'string', pattern: '^t=[0-9]{1,12}(,v1=[0-9a-fA-F]{64})+$' },
};

/** Adds the headers of every answer, of those that ask to wait, and of those that may be repeated. */
const withHeaders = (responses: Json, { idempotent }: Operation): Json =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      {
        ...(isObject(response) && response),
        headers: {
          'x-request-id': { $ref: '#/components/headers/RequestId' },
          ...((status === '429' || (status === '409' && idempotent)) && {
            'Retry-After': { $ref: '#/components/headers/RetryAfter' },
          }),
          ...(status === '200' &&
            idempotent && { 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } }),
        },
      },
    ]),
  );

const describe = (operation: Operation, path: Operation['path'], examples: Examples): Json => {
  const { body: example, reply } = examples;
  const { name, summary, params } = operation;
  const description = [operation.description, permissionWords(operation)].filter(Boolean).join(' ');
  const requestBody = requestBodyOf(operation, example);
  const isAlias = path !== operation.path;
  return {
    operationId: `${pickTag(operation)}-${name}${isAlias ? `-${(operation.aliases ?? []).indexOf(path) + 2}` : ''}`,
    tags: [pickTag(operation)],
    summary: isAlias ? `${summary} (at its other path)` : summary,
    ...(description && { description }),
    security: toSecurity(operation),
    parameters: [
      ...parameters(params, path, examples.parameters),
      ...(operation.signable ? [signature] : []),
      ...(operation.idempotent ? [idempotencyKey] : []),
    ],
    ...(requestBody && { requestBody }),
    responses: withHeaders(
      {
        ...otherReplies(operation),
        200: {
          description: 'Done',
          content: Object.fromEntries(
            listTypes(operation).map((type) => [
              type,
              { schema: makeReply(operation), ...(reply !== undefined && { example: reply }) },
            ]),
          ),
        },
        ...toRefusals(operation),
      },
      operation,
    ),
    // The list of those that are made when the document is served (see accounts/documents/code-samples.ts).
    ...(examples.isForPages && { 'x-codeSamples': [] }),
  };
};

/** Returns the permission that an API key needs, for readers of the reference. */
const permissionWords = ({ auth, permission, siteKeys }: Operation): string => {
  if (auth !== 'bearer' || permission === undefined) return '';
  if (permission === 'person') return 'Not for API keys.';
  const limit = siteKeys ? '' : ', and must not be limited to sites';
  return `An API key needs the permission \`${permission}\`${limit}.`;
};

const warnings = {
  type: 'array',
  items: { type: 'string' },
  description:
    'Unknown fields of the call, which were ignored, and texts that were shortened or normalized; present only if there are any.',
};

/** Management calls report unknown fields; see core/platform/http/unknown-fields.ts. */
const makeReply = (operation: Operation): Json => {
  const { auth, body, reply, replyType } = operation;
  // A document of its own kind, sent as it is.
  if (replyType?.startsWith('application/json')) return { type: 'object' };
  const schema = toSchema(reply, 'output');
  const { description } = schema;
  if (replyType !== undefined) return { type: 'string', ...(description !== undefined && { description }) };
  const isWarned = body !== undefined && (auth === 'bearer' || auth === 'admin' || rewritesFields(body));
  const tells = isWarned && schema['type'] === 'object';
  return tells ? { ...schema, properties: { ...fieldsIn(schema, 'properties'), warnings } } : schema;
};

/** A refusal of the same status is described with it. */
const otherReplies = (operation: Operation): Json =>
  Object.fromEntries(
    Object.entries(operation.otherReplies ?? {}).map(([status, schema]) => [
      status,
      {
        description: 'Answered likewise',
        content: { 'application/json': { schema: toSchema(schema, 'output') } },
      },
    ]),
  );

const listTypes = ({ replyType = 'application/json', otherReplyTypes = [] }: Operation): string[] =>
  [replyType, ...otherReplyTypes].map((type) => type.split(';')[0] ?? type);

const parameters = (params: GenericSchema | undefined, path: string, examples: Examples['parameters']): Json[] => {
  const whole = params ? toSchema(params, 'input') : {};
  const wanted = new Set(Object.values(fieldsIn(whole, 'required')));
  const properties = fieldsIn(whole, 'properties');
  return Object.keys(properties).map((name) => {
    const inPath = path.includes(`{${name}}`);
    const { description, ...schema } = fieldsIn(properties, name);
    const required = inPath || wanted.has(name);
    return {
      ...{ name, in: inPath ? 'path' : 'query' },
      ...(description !== undefined && { description }),
      ...{ required, schema },
      ...(examples[name] !== undefined && { example: examples[name] }),
    };
  });
};
