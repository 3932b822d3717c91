import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { samplePath } from '#core/platform/operation/operation.ts';
import { fieldsMissing, findFolder, handlerFile } from '#functions/declaration-files.ts';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { staleDues } from '#lib/build/dues.ts';
import { stalePartitions } from '#lib/build/partitions.ts';
import { staleProcessorFiles } from '#lib/build/processors.ts';
import { staleFiles } from '#lib/build/providers.ts';

const testSources = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && file !== 'registry.test.ts')
  .map((file) => readFileSync(join('test', file), 'utf8'));

describe.each([...operations, ...workers])('$area/$name', (declared) => {
  const name = `${declared.area}/${declared.name}`;

  it('has a handler next to its declaration', () =>
    expect(existsSync(handlerFile(declared)), `${name} has no ${handlerFile(declared)}`).toBe(true));

  it('has a sample event that is JSON', () => {
    expect(existsSync(samplePath(declared)), `${name} has no sample event ${samplePath(declared)}`).toBe(true);
    expect(() => JSON.parse(readFileSync(samplePath(declared), 'utf8')), samplePath(declared)).not.toThrow();
  });

  it('has a test that runs its handler or calls its route', () => {
    const folder = findFolder(declared).slice('functions/'.length);
    const marks = [`${folder}/handler.ts`, `'${name}'`];
    const asked = `${folder}/operation.ts`;
    const path = 'path' in declared ? declared.path.replace(/\{\w+\}/g, '[^/]+').replace(/\/$/, '') : undefined;
    const found = testSources.some(
      (source) =>
        marks.some((mark) => source.includes(mark)) ||
        (source.includes(asked) && /\bask\(/.test(source)) ||
        (path !== undefined && new RegExp(`['"\`/]${path.slice(1)}/?['"\`?]`).test(source)),
    );
    expect(
      found,
      `${name} has no test: write one under test/${declared.area}/ that asks its operation, imports ${handlerFile(declared)}${path === undefined ? '' : ` or calls ${path}`}`,
    ).toBe(true);
  });
});

it('says which fields a declaration leaves out', () => {
  for (const operation of operations) expect(fieldsMissing('operation.ts', operation)).toEqual([]);
  for (const worker of workers) expect(fieldsMissing('worker.ts', worker)).toEqual([]);
  const { errors: _, grants: __, ...rest } = Object(operations[0]);
  expect(fieldsMissing('operation.ts', rest)).toEqual(['errors', 'grants']);
});

it('registers every alert provider that is declared, and has an endpoint for each', async () =>
  expect([...(await staleFiles('.')).keys()], 'run npm run fix, which writes these').toEqual([]));

it('registers every processor whose folder declares it', async () =>
  expect([...(await staleProcessorFiles('.')).keys()], 'run npm run fix, which writes these').toEqual([]));

it('registers every kind of due work that is declared next to its row', () =>
  expect([...staleDues('.').keys()], 'run npm run fix, which writes these').toEqual([]));

it('registers the partitions of the table that the code of each function names', async () =>
  expect(
    [...(await stalePartitions(process.cwd(), [...operations, ...workers])).keys()],
    'run npm run fix, which writes these',
  ).toEqual([]));

describe('the routes', () => {
  const routes = operations.flatMap(({ method, path, aliases = [] }) =>
    [path, ...aliases].map((one) => ({ method, path: one })),
  );

  it('are declared once', () => {
    const names = routes.map(({ method, path }) => `${method} ${path}`);
    expect(names).toEqual([...new Set(names)]);
  });

  it('have one variable name at each place of the path tree, as the gateway demands', () => {
    const names = new Map<string, Set<string>>();
    for (const { path } of routes) {
      const parts = path.split('/');
      parts.forEach((part, index) => {
        if (!part.startsWith('{')) return;
        const place = parts
          .slice(0, index)
          .map((before) => (before.startsWith('{') ? '{}' : before))
          .join('/');
        names.set(place, (names.get(place) ?? new Set()).add(part));
      });
    }
    expect([...names].filter(([, variables]) => variables.size > 1)).toEqual([]);
  });

  it('name every variable of their path', () => {
    const unread = operations.filter(({ path, params }) => {
      const variables = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
      const entries = params && 'entries' in params ? Object.keys(params.entries as object) : [];
      return variables.some((name) => !entries.includes(name));
    });
    expect(unread.map(({ area, name }) => `${area}/${name}`)).toEqual([]);
  });
});

it('every operation with a Bearer token declares what an API key needs', () => {
  const silent = operations.filter(({ auth, permission }) => auth === 'bearer' && permission === undefined);
  expect(
    silent.map(({ area, name }) => `${area}/${name}`),
    'declare `permission`: see operation.ts',
  ).toEqual([]);
});

it('names each function once', () => {
  const names = [...operations, ...workers].map(({ area, name }) => `${area}-${name}`);
  expect(names).toEqual([...new Set(names)]);
});

/** The operations with a history of their own: alerts and their answers, notifications, enrollments, orders, refunds. */
const withHistory = [
  'alerts',
  'cardsearch',
  'chargebacks',
  'enrollments',
  'lookups',
  'orders',
  'outcomes',
  'refunds',
  'transactions',
  'webhooks',
];

/** The operation that writes only kept replies of confirmed actions; the operations that it calls audit them. */
const keepsRepliesOnly = 'agents/mcp';
/** The operation that writes nothing but the number of entries in its own list. */
const writesCountsOnly = 'auth/list-audit';
/** The operation that changes only how and when callers get their own e-mails. */
const setsOwnChoicesOnly = 'auth/set-own-settings';

it('audits every operation with a token that writes and keeps no history of its own', () => {
  const writing = operations.filter(({ auth, grants: { table = [] } }) => {
    const takesToken = auth === 'bearer' || auth === 'admin';
    return takesToken && table.some((action) => /^(Put|Update|Delete)Item$/.test(action));
  });
  const silent = writing.filter(({ area, audit, divertsIf }) => (!audit || divertsIf) && !withHistory.includes(area));
  expect(silent.map(({ area, name }) => `${area}/${name}`)).toEqual([
    keepsRepliesOnly,
    writesCountsOnly,
    setsOwnChoicesOnly,
  ]);
});

it('audits an operation by its handler where it says so', () => {
  for (const operation of operations.filter((one) => existsSync(handlerFile(one)))) {
    const source = readFileSync(handlerFile(operation), 'utf8');
    expect([handlerFile(operation), source.includes('auditedEndpoint(')]).toEqual([
      handlerFile(operation),
      operation.audit === true,
    ]);
  }
});
