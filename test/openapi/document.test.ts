import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { bodyOfRefusal, Refusal, refusals } from '../../functions/core/errors.ts';
import { operations } from '../../functions/operations.ts';
import { operationsDocument } from '../../lib/openapi/sample.ts';

const Reference = v.looseObject({ $ref: v.optional(v.string()) });
const Answers = v.object({ $ref: v.string(), oneOf: v.array(Reference) });
const Entry = v.looseObject({
  operationId: v.string(),
  summary: v.string(),
  description: v.pipe(v.string(), v.minLength(20)),
  security: v.array(v.record(v.string(), v.array(v.string()))),
  parameters: v.array(v.looseObject({ name: v.string(), in: v.string() })),
  requestBody: v.optional(
    v.looseObject({ content: v.record(v.string(), v.looseObject({ schema: v.looseObject({}) })) }),
  ),
  responses: v.record(
    v.string(),
    v.looseObject({
      description: v.string(),
      content: v.optional(v.record(v.string(), v.object({ schema: v.looseObject(v.partial(Answers).entries) }))),
    }),
  ),
});
const Document = v.looseObject({
  openapi: v.literal('3.1.0'),
  paths: v.record(v.string(), v.record(v.string(), Entry)),
  components: v.looseObject({ schemas: v.record(v.string(), v.looseObject({ required: v.array(v.string()) })) }),
});

const document = v.parse(Document, JSON.parse(operationsDocument()));
const { schemas } = document.components;

describe('the API document', () => {
  it.each(operations.filter(({ body }) => body !== undefined))('shows a body that $area/$name takes', (operation) => {
    const entry = document.paths[operation.path]?.[operation.method.toLowerCase()];
    const content = entry?.requestBody?.content;
    const example = (content?.['application/json'] ?? Object.values(content ?? {})[0])?.['example'];
    if (!operation.body) throw new Error('filtered above');
    expect(v.safeParse(operation.body as v.GenericSchema, example).issues).toBeUndefined();
  });

  it('describes every field: none may be just anything', () => {
    const anything = [...operationsDocument().matchAll(/"(\w+)": \{\}/g)].map(([, name]) => name);
    // What changed of an alert, by field, is of many types; a replay's body and settings may be empty objects.
    expect(new Set(anything)).toEqual(new Set(['additionalProperties', 'properties', 'example', 'default']));
  });

  it('that is committed is the one the operations make', () => {
    expect(readFileSync('docs/openapi.json', 'utf8') === operationsDocument(), 'run npm run openapi').toBe(true);
  });

  it('has every operation at every path, under an id of its own', () => {
    const paths = operations.flatMap(({ path, aliases = [] }) => [path, ...aliases]);
    expect(Object.keys(document.paths).sort()).toEqual([...new Set(paths)].sort());
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(ids).toEqual([...new Set(ids)]);
  });

  it.each(operations)('describes $area/$name: parameters, body, answer and refusals', (operation) => {
    const entry = document.paths[operation.path]?.[operation.method.toLowerCase()];
    const variables = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(entry?.parameters.filter(({ in: place }) => place === 'path').map(({ name }) => name)).toEqual(variables);
    expect(entry?.requestBody === undefined).toBe(operation.body === undefined);
    for (const { schema } of Object.values(entry?.requestBody?.content ?? {}))
      expect(Object.keys(schema).length).toBeGreaterThan(0);
    expect(Object.keys(entry?.responses ?? {})).toEqual(expect.arrayContaining(['200', '400', '500']));
    expect(entry?.responses['401'] !== undefined).toBe(
      operation.auth !== 'public' || operation.errors.some((code) => refusals[code].status === 401),
    );
  });

  it.each(operations)(
    'shows the refusals of $area/$name as they are answered',
    ({ path, method, errors, errorShape }) => {
      const responses = document.paths[path]?.[method.toLowerCase()]?.responses ?? {};
      for (const code of ['request_invalid', 'internal', ...errors] as const) {
        const content = responses[refusals[code].status]?.content ?? {};
        if (errorShape === 'page') {
          expect(Object.keys(content), code).toContain('text/html');
          continue;
        }
        const { schema } = content['application/json'] ?? {};
        const shapes = (schema?.oneOf ?? [schema]).map((one) => schemas[one?.$ref?.split('/').at(-1) ?? '']?.required);
        expect(shapes, code).toContainEqual(
          Object.keys(bodyOfRefusal(new Refusal(code, 'words'), errorShape) as object),
        );
      }
    },
  );

  it('asks for a header only where an operation reads it', () => {
    const askedOf = (name: string) => document.paths[operations.find((one) => one.name === name)?.path ?? '']?.['post'];
    expect(askedOf('update-alert')?.security).toEqual([{ site: [] }]);
    expect(askedOf('singletx')?.security).toEqual([]);
    expect(askedOf('processrefund')?.security).toEqual([{ bearer: [] }]);
  });
});
