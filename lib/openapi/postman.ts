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

const bodyOf = ({ requestBody }: Operation) => {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined) return undefined;
  const example = content?.example ?? {};
  if (type === 'application/json')
    return { mode: 'raw', raw: JSON.stringify(example, null, 2), options: { raw: { language: 'json' } } };
  const pairs = Object.entries({ ...example }).map(([key, value]) => ({ key, value: String(value), type: 'text' }));
  return type === 'multipart/form-data'
    ? { mode: 'formdata', formdata: pairs }
    : { mode: 'urlencoded', urlencoded: pairs };
};

const authOf = ({ security }: Operation) =>
  security.some((one) => 'bearer' in one)
    ? { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] }
    : { type: 'noauth' };

const headersOf = (operation: Operation) =>
  operation.security.some((one) => 'site' in one) ? [{ key: 'rcode', value: '{{rcode}}' }] : [];

const itemOf = (path: string, method: string, operation: Operation) => {
  const of = (place: string) =>
    operation.parameters
      .filter((one) => one.in === place)
      .map(({ name, description }) => ({ key: name, value: '', ...(description && { description }) }));
  const [variable, query] = [of('path'), of('query')];
  const withVariables = path.replace(/\{(\w+)\}/g, ':$1');
  const body = bodyOf(operation);
  return {
    name: operation.summary,
    request: {
      method: method.toUpperCase(),
      description: operation.description ?? '',
      auth: authOf(operation),
      header: headersOf(operation),
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

/** A folder for each heading; `url`, `token` and `rcode` are the collection's variables. */
export const postmanCollection = ({ info, tags, paths }: CollectedDocument) => ({
  info: {
    name: info.title,
    version: info.version,
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  variable: [
    { key: 'url', value: 'http://127.0.0.1:3000' },
    { key: 'token', value: '' },
    { key: 'rcode', value: '' },
  ],
  item: tags.map(({ name, 'x-displayName': title, description }) => ({
    name: title,
    description,
    item: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { tags: own }]) => own.includes(name))
        .map(([method, operation]) => itemOf(path, method, operation)),
    ),
  })),
});
