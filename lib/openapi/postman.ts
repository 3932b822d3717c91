import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The API document as a collection for Postman, which Bruno, Insomnia and others import too.
 * @see https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html
 */
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters: { name: string; in: string; description?: string }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
};
export type CollectedDocument = {
  info: { title: string; version: string };
  tags: { name: string; 'x-displayName': string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
};

const isSignable = ({ parameters }: Operation): boolean => parameters.some(({ name }) => name === 'x-signature');

const makeBody = (operation: Operation) => {
  const content = operation.requestBody?.content ?? {};
  const json = 'application/json';
  // What is signed is sent as JSON: Postman encodes forms only after its scripts.
  const type = isSignable(operation) && json in content ? json : Object.keys(content)[0];
  if (type === undefined) return undefined;
  // The signature takes the place of these.
  const { hash: _, timestamp: __, ...signed } = { ...(content[type]?.example ?? {}) } as Record<string, unknown>;
  const example = isSignable(operation) ? signed : (content[type]?.example ?? {});
  if (type === json)
    return { mode: 'raw', raw: JSON.stringify(example, null, 2), options: { raw: { language: 'json' } } };
  const pairs = Object.entries({ ...example }).map(([key, value]) => ({ key, value: String(value), type: 'text' }));
  return type === 'multipart/form-data'
    ? { mode: 'formdata', formdata: pairs }
    : { mode: 'urlencoded', urlencoded: pairs };
};

const makeAuth = ({ security }: Operation) =>
  security.some((one) => 'bearer' in one)
    ? { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] }
    : { type: 'noauth' };

const proofHeaders = (operation: Operation) => [
  ...(operation.security.some((one) => 'site' in one) ? [{ key: 'rcode', value: '{{rcode}}' }] : []),
  ...(isSignable(operation) ? [{ key: 'x-signature', value: 'made before the call' }] : []),
];

const makeItem = (path: string, method: string, operation: Operation) => {
  const of = (place: string) =>
    operation.parameters
      .filter((one) => one.in === place)
      .map(({ name, description }) => ({ key: name, value: '', ...(description && { description }) }));
  const [variable, query] = [of('path'), of('query')];
  const withVariables = path.replace(/\{(\w+)\}/g, ':$1');
  const body = makeBody(operation);
  return {
    name: operation.summary,
    request: {
      method: method.toUpperCase(),
      description: operation.description ?? '',
      auth: makeAuth(operation),
      header: proofHeaders(operation),
      url: {
        raw: `{{url}}${withVariables}`,
        host: ['{{url}}'],
        path: withVariables.split('/').slice(1),
        ...(variable.length > 0 && { variable }),
        ...(query.length > 0 && { query: query.map((one) => ({ ...one, disabled: true })) }),
      },
      ...(body && { body }),
    },
  };
};

const script = readFileSync(join(import.meta.dirname, 'postman-script.js'), 'utf8');

/** What a person sets: either `username` and `password` or an API key as `token`, and a site's `rcode`. */
const variables = { url: 'http://127.0.0.1:3000', username: '', password: '', token: '', rcode: '' };

/** A folder for each heading, and the script that signs in and signs. */
export const postmanCollection = ({ info, tags, paths }: CollectedDocument) => ({
  info: {
    name: info.title,
    version: info.version,
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
  event: [{ listen: 'prerequest', script: { type: 'text/javascript', exec: script.split('\n') } }],
  item: tags.map(({ name, 'x-displayName': title, description }) => ({
    name: title,
    description,
    item: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { tags: own }]) => own.includes(name))
        .map(([method, operation]) => makeItem(path, method, operation)),
    ),
  })),
});
