import { readFileSync } from 'node:fs';
import { parse as parseForm } from 'node:querystring';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as v from 'valibot';
import { canonicalForm } from '#core/platform/http/form.ts';
import { readJson } from '#core/platform/http/json.ts';
import type { Operation } from '#core/platform/operation/operation.ts';

/** Holds what was really sent and answered to the API document: nothing undeclared, nothing that its schemas refuse. */

/** Refused before, or because, what was sent was looked at: a request that need not be as the document wants it. */
export const isRefusedUnread = (status: number): boolean => [400, 401, 403, 413, 415, 429].includes(status);

type Json = Record<string, unknown>;
const Media = v.record(v.string(), v.looseObject({ schema: v.record(v.string(), v.unknown()) }));
const Headers = v.record(v.string(), v.looseObject({ $ref: v.optional(v.string()) }));
const Parameter = v.looseObject({
  name: v.string(),
  in: v.picklist(['path', 'query', 'header']),
  required: v.boolean(),
  schema: v.record(v.string(), v.unknown()),
});
const Entry = v.looseObject({
  parameters: v.array(Parameter),
  requestBody: v.optional(v.looseObject({ required: v.boolean(), content: Media })),
  responses: v.record(v.string(), v.looseObject({ content: v.optional(Media, {}), headers: v.optional(Headers, {}) })),
});
const Document = v.looseObject({
  paths: v.record(v.string(), v.record(v.string(), Entry)),
  components: v.looseObject({ schemas: v.record(v.string(), v.unknown()) }),
});

export type Sent = {
  /** As it went over the wire: still percent-encoded, without the query. */
  path: string;
  query: Readonly<Record<string, string>>;
  contentType: string | undefined;
  body: string;
};
export type Answered = { status: number; headers: Readonly<Record<string, string>>; body: string };

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Parts = { paths: Record<string, Record<string, { responses: Json }>>; components: { responses: Json } };

/** The document with each shared refusal in the place of the reference to it. */
export const withRefusals = (document: Parts): Parts => {
  const { responses: shared } = document.components;
  for (const { responses } of Object.values(document.paths).flatMap((methods) => Object.values(methods)))
    for (const [status, one] of Object.entries(responses))
      if (isObject(one) && typeof one['$ref'] === 'string')
        responses[status] = shared[one['$ref'].replace('#/components/responses/', '')];
  return document;
};

/** The same schema, which takes no property that it does not name. */
const closeSchema = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closeSchema);
  if (!isObject(schema)) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema)
      // Examples are data.
      .filter(([name]) => name !== 'example')
      .map(([name, part]) => [
        name,
        name === 'enum' || name === 'const' || name === 'default' ? part : closeSchema(part),
      ]),
  );
  const isOpen = isObject(schema['properties']) && schema['additionalProperties'] === undefined;
  return isOpen && schema['type'] === 'object' ? { ...inner, additionalProperties: false } : inner;
};

const name = 'document';
let held: { document: v.InferOutput<typeof Document>; ajv: Ajv2020 } | undefined;
const load = () => {
  if (held) return held;
  const document = v.parse(Document, withRefusals(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))));
  const ajv = new Ajv2020({ strict: false, logger: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: name, components: { schemas: closeSchema(document.components.schemas) } });
  held = { document, ajv };
  return held;
};

type Check = (value: unknown) => string | undefined;
/** Each schema is compiled once, when it is first wanted. */
const checks = new Map<object, Check>();
const compile = (schema: object): Check => {
  const known = checks.get(schema);
  if (known) return known;
  const { ajv } = load();
  const validate = ajv.compile(
    JSON.parse(JSON.stringify(closeSchema(schema)).replaceAll('"#/components', `"${name}#/components`)),
  );
  const check = (value: unknown) =>
    validate(value)
      ? undefined
      : ajv.errorsText(validate.errors, { dataVar: '', separator: '; ' }) + undeclaredNames(validate.errors);
  checks.set(schema, check);
  return check;
};

const undeclaredNames = (errors: readonly { params: Json }[] | null | undefined): string =>
  (errors ?? [])
    .flatMap(({ params }) => params['additionalProperty'] ?? [])
    .map((one) => ` (${one})`)
    .join('');

const mediaType = (contentType: string | undefined): string =>
  (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

const findEntry = ({ path, aliases = [], method }: Operation, sent: string) => {
  const { document } = load();
  for (const template of [path, ...aliases]) {
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, one = '']) => one);
    const pattern = template.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '([^/]*)');
    const found = new RegExp(`^${pattern}$`).exec(sent);
    const entry = document.paths[template]?.[method.toLowerCase()];
    if (!found || !entry) continue;
    return {
      entry,
      variables: Object.fromEntries(names.map((one, index) => [one, decodeURIComponent(found[index + 1] ?? '')])),
    };
  }
  return undefined;
};

/** Returns what the document does not allow of a request, one line each. */
export const requestProblems = (operation: Operation, sent: Sent): string[] => {
  const found = findEntry(operation, sent.path);
  if (!found) return [`the document has no ${operation.method} ${sent.path}`];
  const { entry, variables } = found;
  const values: Readonly<Record<string, Json>> = { path: variables, query: { ...sent.query }, header: {} };
  const ofParameters = entry.parameters.flatMap(({ name: one, in: place, required, schema }) => {
    const value = values[place]?.[one];
    if (value === undefined) return required ? [`${place} ${one}: is required`] : [];
    const problem = compile(schema)(value);
    return problem === undefined ? [] : [`${place} ${one}: ${problem}`];
  });
  const declared = new Set(entry.parameters.map(({ in: place, name: one }) => `${place} ${one}`));
  const strange = Object.keys(sent.query).filter((one) => !declared.has(`query ${one}`));
  return [...ofParameters, ...strange.map((one) => `query ${one}: is not declared`), ...bodyProblems(entry, sent)];
};

const bodyProblems = ({ requestBody }: v.InferOutput<typeof Entry>, { body, contentType }: Sent): string[] => {
  if (!requestBody) return [];
  if (body === '') return requestBody.required ? ['body: is required'] : [];
  const type = mediaType(contentType);
  const media = requestBody.content[type];
  if (!media) return [`body: ${type} is not declared`];
  const value = type.includes('form') ? readFields(body, type) : readJson(body);
  const problem = compile(media.schema)(value);
  return problem === undefined ? [] : [`body: ${problem}`];
};

const multipartField = /name="([^"]+)"\r\n\r\n([^\r]*)/g;

/** Reads a form: a list has a name that ends in `[]`; an empty field is absent. */
const readFields = (body: string, type: string): Json => {
  const pairs = type.startsWith('multipart')
    ? Object.fromEntries([...body.matchAll(multipartField)].map(([, one = '', value = '']) => [one, value]))
    : parseForm(canonicalForm(body));
  return Object.fromEntries(
    Object.entries(pairs).flatMap(([one, value]) => {
      if (value === '') return [];
      return [[one, one.endsWith('[]') && !Array.isArray(value) ? [value] : value]];
    }),
  );
};

/** Returns what the document does not describe of an answer, one line each. */
export const answerProblems = (operation: Operation, { path }: Sent, { status, headers, body }: Answered): string[] => {
  const entry = findEntry(operation, path)?.entry;
  if (!entry) return [`the document has no ${operation.method} ${path}`];
  const response = entry.responses[status];
  if (!response) return [`answer ${status}: is not declared`];
  const silent = ['x-request-id', 'retry-after'].filter((one) => one in headers && !declares(response.headers, one));
  const missing = 'x-request-id' in headers ? [] : ['x-request-id: is missing'];
  return [
    ...silent.map((one) => `${one}: is not declared`),
    ...missing,
    ...contentProblems(response, status, headers, body),
  ];
};

const declares = (declared: Json, header: string) => Object.keys(declared).some((one) => one.toLowerCase() === header);

const contentProblems = (
  { content }: v.InferOutput<typeof Entry>['responses'][string],
  status: number,
  headers: Answered['headers'],
  body: string,
): string[] => {
  const type = mediaType(headers['content-type']);
  const media = content[type];
  if (!media) return [`answer ${status}: ${type} is not declared`];
  const problem = compile(media.schema)(type === 'application/json' ? JSON.parse(body) : body);
  return problem === undefined ? [] : [`answer ${status}: ${problem}`];
};
