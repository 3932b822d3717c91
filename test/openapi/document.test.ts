import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import { operationsDocument } from '../../lib/openapi/sample.ts';

const Entry = v.looseObject({
  operationId: v.string(),
  summary: v.string(),
  description: v.pipe(v.string(), v.minLength(20)),
  security: v.array(v.record(v.string(), v.array(v.string()))),
  parameters: v.array(v.looseObject({ name: v.string(), in: v.string() })),
  requestBody: v.optional(
    v.looseObject({ content: v.record(v.string(), v.looseObject({ schema: v.looseObject({}) })) }),
  ),
  responses: v.record(v.string(), v.looseObject({ description: v.string() })),
});
const Document = v.looseObject({
  openapi: v.literal('3.1.0'),
  paths: v.record(v.string(), v.record(v.string(), Entry)),
});

const document = v.parse(Document, JSON.parse(operationsDocument()));

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
      operation.auth !== 'public' || operation.errors.some((code) => code === 'credentials_wrong'),
    );
  });
});
