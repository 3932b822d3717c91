import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { bodyOfRefusal, Refusal, refusals } from '#core/platform/operation/errors.ts';
import { operations } from '#functions/operations.ts';
import { hasJsonReply, readReplies, toName } from '#lib/openapi/replies.ts';
import { operationsDocument } from '#lib/openapi/sample.ts';
import { headerSigners } from '#payments/processors/registered/credential-words.ts';
import { withRefusals } from '#test/support/api-document.ts';
import { useCommand } from '#test/support/command.ts';

const Reference = v.looseObject({ $ref: v.optional(v.string()) });
const Answers = v.object({ $ref: v.string(), anyOf: v.array(Reference) });
const Answer = v.looseObject({
  description: v.string(),
  headers: v.optional(v.record(v.string(), v.object({ $ref: v.string() }))),
  content: v.optional(
    v.record(
      v.string(),
      v.looseObject({ schema: v.looseObject(v.partial(Answers).entries), example: v.optional(v.unknown()) }),
    ),
  ),
});
const Entry = v.looseObject({
  operationId: v.string(),
  summary: v.string(),
  tags: v.array(v.string()),
  description: v.pipe(v.string(), v.minLength(20)),
  security: v.array(v.record(v.string(), v.array(v.string()))),
  parameters: v.array(v.looseObject({ name: v.string(), in: v.string() })),
  requestBody: v.optional(
    v.looseObject({ content: v.record(v.string(), v.looseObject({ schema: v.looseObject({}) })) }),
  ),
  responses: v.record(v.string(), Answer),
});
const Document = v.looseObject({
  openapi: v.literal('3.1.0'),
  paths: v.record(v.string(), v.record(v.string(), Entry)),
  tags: v.array(v.looseObject({ name: v.string() })),
  'x-tagGroups': v.array(v.object({ name: v.string(), tags: v.array(v.string()) })),
  components: v.looseObject({
    responses: v.record(v.string(), Answer),
    schemas: v.record(v.string(), v.looseObject({ required: v.optional(v.array(v.string())) })),
    examples: v.record(v.string(), v.object({ summary: v.string(), value: v.looseObject({}) })),
  }),
});

const document = v.parse(Document, withRefusals(JSON.parse(operationsDocument())));
const { schemas } = document.components;
const replies = readReplies();

describe('the API document', () => {
  it.each(operations.filter(({ body }) => body !== undefined))('shows a body that $area/$name takes', (operation) => {
    const entry = document.paths[operation.path]?.[operation.method.toLowerCase()];
    const content = entry?.requestBody?.content;
    const example = (content?.['application/json'] ?? Object.values(content ?? {})[0])?.['example'];
    if (!operation.body) throw new Error('filtered above');
    expect(v.safeParse(operation.body as v.GenericSchema, example).issues).toBeUndefined();
  });

  it('describes every field: none may be just anything', () => {
    // Examples are data.
    const text = JSON.stringify(
      JSON.parse(operationsDocument(), (name, value) => (name === 'example' ? 0 : value)),
      null,
      1,
    );
    const anything = [...text.matchAll(/"(\w+)": \{\}/g)].map(([, name]) => name);
    // The changes of an alert, by field, are of many types; a replay's body and settings may be empty objects.
    expect(new Set(anything)).toEqual(new Set(['additionalProperties', 'properties', 'default']));
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
    expect(entry?.requestBody === undefined).toBe((operation.body ?? operation.rawBody) === undefined);
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
        const shapes = (schema?.anyOf ?? [schema]).map((one) => schemas[one?.$ref?.split('/').at(-1) ?? '']?.required);
        expect(shapes, code).toContainEqual(
          Object.keys(bodyOfRefusal(new Refusal(code, 'words'), errorShape) as object),
        );
      }
    },
  );

  it('asks for nothing that may be left out, and for all that may not', () => {
    const entryOf = (name: string) => {
      const { path, method } = operations.find((one) => one.name === name) ?? { path: '', method: '' };
      return document.paths[path]?.[method.toLowerCase()];
    };
    expect(entryOf('replay')?.requestBody?.['required']).toBe(false);
    expect(entryOf('singletx')?.requestBody?.['required']).toBe(true);
    const [tid] = entryOf('getbytid')?.parameters.filter(({ name }) => name === 'tid') ?? [];
    expect(tid).toMatchObject({ in: 'query', required: true });
  });

  it('spells the lists of forms as forms do', () => {
    const content = document.paths['/api/v1/index.php/{id}/singletx']?.['post']?.requestBody?.content ?? {};
    const namesOf = (type: string) => {
      const reference = String(content[type]?.schema['$ref']).split('/').at(-1) ?? '';
      return schemas[reference]?.required;
    };
    expect(namesOf('application/json')).toEqual(expect.arrayContaining(['item_name', 'item_amount_unit']));
    expect(namesOf('application/x-www-form-urlencoded')).toEqual(
      expect.arrayContaining(['item_name[]', 'item_amount_unit[]']),
    );
  });

  it('says how processors sign, what they send, and what each answer carries', () => {
    const entry = document.paths['/api/v3/processors/{processor}/{sid}/webhook']?.['post'];
    expect(entry?.security).toEqual([...headerSigners.map((name) => ({ [name]: [] })), {}]);
    expect(headerSigners).toEqual(expect.arrayContaining(['stripe', 'nmi']));
    expect(Object.keys(entry?.requestBody?.content ?? {})).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
    ]);
    const answers = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ responses, parameters }) => {
        const takesKey = parameters.some(({ name }) => name === 'idempotency-key');
        return Object.entries(responses).map(([status, { headers = {} }]) => ({ status, headers, takesKey }));
      }),
    );
    expect(answers.filter(({ headers }) => !headers['x-request-id'])).toEqual([]);
    const asksForPatience = ({ status, takesKey }: (typeof answers)[number]) =>
      status === '429' || (status === '409' && takesKey);
    expect(answers.filter((one) => asksForPatience(one) !== 'Retry-After' in one.headers)).toEqual([]);
  });

  it('names the idempotency key and the replayed answer where the operation takes one', () => {
    for (const { path, method, idempotent = false } of operations) {
      const entry = document.paths[path]?.[method.toLowerCase()];
      const isNamed = (entry?.parameters ?? []).some(
        ({ name, in: place }) => `${place} ${name}` === 'header idempotency-key',
      );
      expect([path, isNamed]).toEqual([path, idempotent]);
      expect('Idempotent-Replayed' in (entry?.responses['200']?.headers ?? {})).toBe(idempotent);
    }
  });

  it('asks for a header only where an operation reads it', () => {
    const askedOf = (name: string) => document.paths[operations.find((one) => one.name === name)?.path ?? '']?.['post'];
    expect(askedOf('update-alert')?.security).toEqual([{ site: [] }]);
    expect(askedOf('singletx')?.security).toEqual([]);
    expect(askedOf('processrefund')?.security).toEqual([{ bearer: [] }]);
  });

  it.each(operations.filter(hasJsonReply))('shows an answer that $area/$name really gave', (operation) => {
    const example = replies[toName(operation)];
    const problem = `${toName(operation)}: docs/openapi-replies.json has no answer of the declared shape; run npm run examples -- ${toName(operation)}, then npm run fix`;
    expect(v.safeParse(operation.reply as v.GenericSchema, example).issues, problem).toBeUndefined();
    const content = document.paths[operation.path]?.[operation.method.toLowerCase()]?.responses['200']?.content ?? {};
    expect(content['application/json']?.example).toEqual(example);
  });

  it('shows of every refusal an example as it is answered, and of none a mere "string"', () => {
    const Refused = v.object({
      schema: v.unknown(),
      examples: v.record(v.string(), v.object({ $ref: v.pipe(v.string(), v.startsWith('#/components/examples/')) })),
    });
    const seen = new Set<string>();
    const known = new Map<string, { msg: string; status: number }>(Object.entries(refusals));
    for (const methods of Object.values(document.paths))
      for (const { responses } of Object.values(methods))
        for (const [status, { content }] of Object.entries(responses)) {
          const json = content?.['application/json'];
          if (Number(status) < 400 || json === undefined) continue;
          const { examples } = v.parse(Refused, json);
          expect(Object.keys(examples)).not.toEqual([]);
          for (const [code, { $ref }] of Object.entries(examples)) {
            seen.add($ref);
            const said = JSON.stringify(document.components.examples[$ref.split('/').at(-1) ?? '']?.value);
            const { msg, status: travels } = known.get(code) ?? { msg: 'no such code', status: 0 };
            // Payments say the details alone, where there are some.
            expect(said, code).toContain(said.includes('error_code') ? `"${code}"` : msg);
            if (code !== 'retailer_name_taken') expect(said).toContain(`"doc":"/errors/${code}"`);
            expect(Number(status)).toBe(travels);
          }
        }
    expect([...seen].sort()).toEqual(
      Object.keys(document.components.examples)
        .map((name) => `#/components/examples/${name}`)
        .sort(),
    );
  });

  it('has a title of its own for each operation, and no pattern that only forbids control characters', () => {
    const titles = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ summary }) => summary),
    );
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
    expect(operationsDocument()).not.toContain('u0000');
  });

  it('puts what merchants read first, and every operation under a heading', () => {
    const names = document.tags.map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(['auth', 'alerts', 'notifications']);
    expect(names.slice(-4)).toEqual(['providers', 'health', 'dashboard', 'documents']);
    expect(document['x-tagGroups'].flatMap(({ tags }) => tags)).toEqual(names);
    const used = Object.values(document.paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags));
    expect(new Set(used)).toEqual(new Set(names));
  });

  it('names what is taken and answered, and refers to nothing that is not there', () => {
    const text = operationsDocument();
    const references = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
    expect(references.filter((name) => !(name in schemas))).toEqual([]);
    expect(Object.keys(schemas).filter((name) => !references.includes(name))).toEqual([]);
  });
});

describe('npm run openapi', () => {
  const command = useCommand('bin/openapi.ts');

  it('reports to programs which files it wrote', async () => {
    expect(await command(['--check', '--json'])).toEqual({ out: '{"stale":[]}\n', err: '', status: 0 });
  });
});
