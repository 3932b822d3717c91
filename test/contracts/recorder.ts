import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { XMLParser } from 'fast-xml-parser';
import type { FakeReply, FakeRequest } from '#test/support/fake-processor.ts';
import { formPartsOf } from '#test/support/form-parts.ts';
import { fixtureProblems } from './fixtures.ts';
import type { Call, Contract, Schema } from './schema.ts';
import { vendorFile } from './vendor-file.ts';

/** Compares each request of an adapter, and each answer of a stand-in, with what the vendor publishes. */

type Validator = (value: unknown) => string[];
type OpenApi = { paths: Record<string, Record<string, Operation>> };
const keptAt = Symbol.for('forewarn.compiled-contracts');
type Compiled = { ajv: Ajv2020; validators: Map<string, Validator>; files: Map<string, OpenApi | undefined> };

const createAjv = (): Ajv2020 => {
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    allErrors: true,
    verbose: true,
    validateSchema: false,
    code: { optimize: false },
    inlineRefs: false,
    unicodeRegExp: false,
  });
  addFormats.default(ajv);
  ajv.addKeyword({
    keyword: 'inOrder',
    validate: (_: unknown, value: unknown, parent?: { properties?: object }) => {
      const names = Object.keys(parent?.properties ?? {});
      const places = Object.keys(value as object).map((name) => names.indexOf(name));
      return places.every((place, index) => index === 0 || place > (places[index - 1] ?? -1));
    },
  });
  for (const format of ['int32', 'int64', 'ppaas_common_currency_code_v2']) ajv.addFormat(format, true);
  return ajv;
};

/** Outlives the modules, which each test file reloads: to compile a vendor's document takes a second. */
const held = process as { [keptAt]?: Compiled };
const { ajv, validators, files } = held[keptAt] ?? { ajv: createAjv(), validators: new Map(), files: new Map() };
held[keptAt] = { ajv, validators, files };

/** The value of tests that a vendor publishes later. */
const isNewer = (value: unknown): boolean => typeof value === 'string' && /^something_new$/i.test(value);

const compile = (key: string, schema: Schema): Validator => {
  const known = validators.get(key);
  if (known) return known;
  const validate: ValidateFunction = ajv.compile(schema);
  const check: Validator = (value) =>
    validate(value)
      ? []
      : (validate.errors ?? [])
          .filter(({ data }) => !isNewer(data))
          .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  validators.set(key, check);
  return check;
};

/** `card[number]=…` and `expand[0]=…` as objects and lists. */
const nested = (entries: Iterable<[string, string]>): unknown => {
  const form: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const path = name.split(/[[\]]+/).filter((part, index) => part !== '' || index > 0);
    if (path.at(-1) === '' && !name.endsWith('[]')) path.pop();
    let at = form;
    for (const [index, part] of path.slice(0, -1).entries()) {
      at[part] ??= /^\d*$/.test(path[index + 1] ?? '') ? [] : {};
      at = at[part] as Record<string, unknown>;
    }
    if (Array.isArray(at)) at.push(value);
    else at[path.at(-1) ?? ''] = value;
  }
  return form;
};

/** An answer as it is read: JSON with or without a byte order mark, a form, XML. */
const parseReply = (body: unknown): unknown => {
  const text = typeof body === 'string' ? body.replace(/^\uFEFF/, '').trim() : '';
  if (/^[[{]/.test(text)) return JSON.parse(text);
  if (text.startsWith('<')) return new XMLParser({ parseTagValue: false, ignoreDeclaration: true }).parse(text);
  return /^\w+=/.test(text) ? nested(new URLSearchParams(text)) : body;
};

const parseBody = (request: FakeRequest): unknown => {
  const type = String(request.headers['content-type'] ?? '');
  if (request.body === '') return undefined;
  if (type.includes('json')) return JSON.parse(request.body);
  if (type.includes('urlencoded')) return nested(new URLSearchParams(request.body));
  const parts = formPartsOf(request);
  return parts ? Object.fromEntries(parts.map(({ name, content }) => [name, content])) : request.body;
};

const fits = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(path);

type Operation = {
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, { $ref?: string; content?: Record<string, unknown> }>;
};
const openFile = (name: string): OpenApi | undefined => {
  if (!files.has(name)) {
    const file = vendorFile(name) as OpenApi | undefined;
    files.set(name, file);
    if (file) ajv.addSchema({ $id: name, ...file } as object);
  }
  return files.get(name);
};

const part = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25');
/** Compares with the vendor's own document, where it is kept and has the call. */
const fileProblems = (contract: Contract, request: FakeRequest, reply: FakeReply): string[] => {
  for (const [prefix, name] of Object.entries(contract.files ?? {})) {
    if (!request.path.startsWith(prefix)) continue;
    const file = openFile(name);
    const base = Object.keys(file?.paths ?? {}).some((one) => one.startsWith(prefix)) ? '' : prefix;
    const template = Object.keys(file?.paths ?? {})
      .toSorted((one, other) => one.split('{').length - other.split('{').length)
      .find((one) => fits(base + one, request.path));
    if (!file || template === undefined) continue;
    const operation = file.paths[template]?.[request.method.toLowerCase()];
    if (!operation) return [`${name} has no ${request.method} ${template}`];
    const at = `${name}#/paths/${part(template)}/${request.method.toLowerCase()}`;
    const [type] = Object.keys(operation.requestBody?.content ?? {});
    const sent =
      type === 'application/json'
        ? compile(at, { $ref: `${at}/requestBody/content/${part(type)}/schema` })(parseBody(request) ?? {})
        : [];
    const response = operation.responses[reply.status] ?? operation.responses['default'];
    if (!response) return [...sent, `${name} has no answer ${reply.status} to ${request.method} ${template}`];
    const [answered] = Object.keys(response.content ?? {});
    const status = operation.responses[reply.status] ? reply.status : 'default';
    const place = `${at}/responses/${status}/content/${part(answered ?? '')}/schema`;
    const got = answered?.includes('json') ? compile(place, { $ref: place })(reply.body) : [];
    return [...sent.map((one) => `${name} request ${one}`), ...got.map((one) => `${name} answer ${one}`)];
  }
  return [];
};

const findCall = ({ calls }: Contract, { method, path }: FakeRequest): [string, Call] | undefined =>
  Object.entries(calls).find(([name]) => {
    const [verb = '', pattern = ''] = name.split(' ');
    return verb === method && fits(pattern, path);
  });

/** Returns all that a request and its answer have against a contract; empty if nothing. */
export const exchangeProblems = (
  vendor: string,
  contract: Contract,
  request: FakeRequest,
  reply: FakeReply,
): string[] => {
  const found = findCall(contract, request);
  if (!found) return [`${request.method} ${request.path} is no published call`];
  const [name, { headers = {}, query, body, answers }] = found;
  const problems = Object.entries(headers)
    .filter(([header, form]) => !form.test(String(request.headers[header] ?? '')))
    .map(([header]) => `header ${header}`);
  const at = `${vendor} ${name}`;
  const asked = compile(`${at} query`, query ?? { maxProperties: 0 })(nested(request.query));
  const sent = parseBody(request);
  if (body === undefined && sent !== undefined) problems.push('a body where none belongs');
  const written = body === undefined ? [] : compile(`${at} body`, body)(sent ?? {});
  const schema = answers[reply.status] ?? answers['default'];
  const got = schema
    ? compile(`${at} ${answers[reply.status] ? reply.status : 'default'}`, schema)(parseReply(reply.body))
    : [`status ${reply.status} is not published`];
  return [
    ...problems,
    ...asked.map((one) => `query ${one}`),
    ...written.map((one) => `body ${one}`),
    ...got.map((one) => `answer ${reply.status} ${one}`),
    ...fileProblems(contract, request, reply),
    ...(vendor === 'stripe' ? fixtureProblems(reply.body) : []),
  ]
    .filter((problem) => !contract.differs?.some((one) => one.problem.test(problem)))
    .map((problem) => `${name}: ${problem}`);
};
