import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { commonErrors, type ErrorCode, refusals } from '../../functions/core/errors.ts';
import type { Operation } from '../../functions/core/operation.ts';

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
      description: 'Dispute alerts before they become chargebacks, and the answers back.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:3000', description: 'The local stack' }],
    tags: [...new Set(operations.map(({ area }) => area))].map((name) => ({ name })),
    paths,
    components: { securitySchemes, schemas: { Error: errorSchema } },
  };
};

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  site: { type: 'apiKey', in: 'header', name: 'rcode' },
  provider: { type: 'apiKey', in: 'header', name: 'x-signature' },
};
const schemeOf = { public: [], bearer: ['bearer'], admin: ['bearer'], site: ['site'], provider: ['provider'] } as const;
const mediaType = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;
const errorSchema = {
  type: 'object',
  required: ['msg', 'details'],
  properties: { msg: { type: 'string' }, details: { type: 'string' } },
};

const describe = (operation: Operation, path: Operation['path'], example: unknown): Json => {
  const { area, name, summary, description, auth, params, body, formats = ['json'], reply, errors } = operation;
  const isAlias = path !== operation.path;
  return {
    operationId: `${area}-${name}${isAlias ? `-${(operation.aliases ?? []).indexOf(path) + 2}` : ''}`,
    tags: [area],
    summary,
    ...(description && { description }),
    security: schemeOf[auth].map((scheme) => ({ [scheme]: [] })),
    parameters: parameters(params, path),
    ...(body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          formats.map((format) => [
            mediaType[format],
            { schema: schemaOf(body, 'input'), ...(format === 'json' && { example }) },
          ]),
        ),
      },
    }),
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: schemaOf(reply, 'output') } } },
      ...refusalsOf(errors, operation),
    },
  };
};

const parameters = (params: GenericSchema | undefined, path: string): Json[] => {
  const properties = params ? (schemaOf(params, 'input')['properties'] as Record<string, Json> | undefined) : undefined;
  return Object.entries(properties ?? {}).map(([name, schema]) => {
    const inPath = path.includes(`{${name}}`);
    return { name, in: inPath ? 'path' : 'query', required: inPath, schema };
  });
};

/** The refusals of one status stand together, as the document has one entry per status. */
const refusalsOf = (declared: readonly ErrorCode[], { auth }: Operation): Json => {
  const ofAll = commonErrors.filter(
    (code) => (code !== 'unauthenticated' && code !== 'scope_missing') || auth === 'bearer' || auth === 'admin',
  );
  const byStatus = new Map<number, string[]>();
  for (const code of [...ofAll, ...declared]) {
    const { status, msg } = refusals[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), msg]);
  }
  const entries = [...byStatus].sort(([left], [right]) => left - right);
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return Object.fromEntries(entries.map(([status, texts]) => [status, { description: texts.join('; '), content }]));
};

/** What a schema accepts or answers; checks that JSON Schema has no words for are left out. */
const schemaOf = (schema: GenericSchema, typeMode: 'input' | 'output'): Json => {
  const { $schema, ...rest } = toJsonSchema(schema, { typeMode, errorMode: 'ignore' });
  return rest as Json;
};
