import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { crossFacets, facetOf, listKeys, listPosition } from '#core/platform/lists/listing.ts';
import { type PageRequest, readPage } from '#core/platform/lists/listing-store.ts';
import { type Item, putItem } from '#core/platform/table/table.ts';
import { handler } from '#jobs/counter/handler.ts';
import { useTable } from '#test/support/table.ts';

useTable();
afterEach(() => vi.restoreAllMocks());

type Entry = { id: string; at: string; status: string; type: string };
const statuses = ['OPEN', 'WIP', 'DONE'];
const types = ['FRAUD', 'DISPUTE'];

const toItem = (entity: string, { id, at, status, type }: Entry): Item => ({
  pk: `${entity}#${id}`,
  sk: entity,
  entity,
  ...listKeys(entity, ['all', 'M1'], facetOf(status, type), listPosition(at, id)),
  summary: { id, at, status, type },
});

let sequence = 0;
const nextSequence = () => {
  sequence += 1;
  return String(sequence);
};
const store = async (entity: string, entries: readonly Entry[], { counted = true } = {}): Promise<void> => {
  const items = entries.map((entry) => toItem(entity, entry));
  for (let from = 0; from < items.length; from += 100)
    await Promise.all(items.slice(from, from + 100).map((item) => putItem(item)));
  if (!counted) return;
  const records = items.map(
    (item) => ({ dynamodb: { SequenceNumber: nextSequence(), NewImage: marshall(item) } }) as DynamoDBRecord,
  );
  for (let from = 0; from < records.length; from += 100) await handler({ Records: records.slice(from, from + 100) });
};

type Filters = Partial<Omit<PageRequest, 'entity'>>;
const page = (entity: string, request: Filters) =>
  readPage<Entry>({ entity, scopeIndex: 1, scope: 'all', order: 'DESC', size: 10, ...request });

/** Every page by its cursor, until there is none. */
const byCursor = async (entity: string, request: Filters): Promise<Entry[][]> => {
  const pages: Entry[][] = [];
  let cursor: string | undefined;
  do {
    const { list, next_cursor } = await page(entity, { ...request, cursor });
    pages.push(list);
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
};
const byOffset = async (entity: string, request: Filters & { size: number }): Promise<Entry[][]> => {
  const pages: Entry[][] = [];
  for (let offset = 0; ; offset += request.size) {
    const { list } = await page(entity, { ...request, offset });
    if (list.length === 0) return pages;
    pages.push(list);
  }
};

/** Returns what the pages together must show. */
const expected = (entries: readonly Entry[], { order = 'DESC', facets, from = '', to = '9999' }: Filters): Entry[] => {
  const sorted = entries
    .filter(({ at, status, type }) => at >= from && at < to && (!facets || facets.includes(facetOf(status, type))))
    .sort((left, right) => (listPosition(left.at, left.id) < listPosition(right.at, right.id) ? -1 : 1));
  return order === 'ASC' ? sorted : sorted.reverse();
};

/** Returns how many items of lists a page reads, how many it counts in the index, and how many rows of counters it reads. */
const countReads = async (act: () => Promise<unknown>) => {
  const reads = { items: 0, counted: 0, rows: 0 };
  const send = DynamoDBDocumentClient.prototype.send;
  vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(async function (
    this: unknown,
    ...given: unknown[]
  ) {
    const answer = await Reflect.apply(send, this, given);
    const { constructor: command, input } = given[0] as {
      constructor: { name: string };
      input: { Select?: string; ProjectionExpression?: string };
    };
    if (command.name !== 'QueryCommand') reads.rows += 1;
    else if (input.Select === 'COUNT' || input.ProjectionExpression) reads.counted += answer.ScannedCount;
    else reads.items += answer.ScannedCount;
    return answer;
  });
  await act();
  vi.restoreAllMocks();
  return reads;
};

const iso = (time: number) => new Date(time).toISOString();
const start = Date.parse('2026-04-30T23:50:00.000Z');

/** Times in clumps: many of one second, some of other minutes, days and months, across a month's end. */
const anyTime = fc
  .tuple(fc.constantFrom(0, 0, 1, 40, 1500, 50_000), fc.constantFrom(0, 0, 1, 59), fc.nat(999))
  .map(([minutes, seconds, milliseconds]) => iso(start + minutes * 60_000 + seconds * 1000 + milliseconds));
const anyEntries = fc
  .array(fc.record({ at: anyTime, status: fc.constantFrom(...statuses), type: fc.constantFrom(...types) }), {
    maxLength: 45,
  })
  .map((list) => list.map((entry, index) => ({ ...entry, id: `i${String(index).padStart(3, '0')}` })));
const anyFacets = fc.option(
  fc
    .tuple(fc.subarray(statuses, { minLength: 1 }), fc.subarray(types, { minLength: 1 }))
    .map(([some, others]) => crossFacets(some, others)),
  { nil: undefined },
);

describe('the pages of a list', () => {
  it('show every item once and in order, whatever filters, range, order and size', async () => {
    let n = 0;
    await fc.assert(
      fc.asyncProperty(
        anyEntries,
        anyFacets,
        fc.option(anyTime, { nil: undefined }),
        fc.option(anyTime, { nil: undefined }),
        fc.constantFrom('ASC', 'DESC'),
        fc.integer({ min: 1, max: 20 }),
        async (entries, facets, from, to, order, size) => {
          n += 1;
          const entity = `P${n}`;
          await store(entity, entries);
          const request = { facets, from, to, order, size } as const;
          const wanted = expected(entries, request);
          expect((await byCursor(entity, request)).flat()).toEqual(wanted);
          expect((await byOffset(entity, request)).flat()).toEqual(wanted);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('show the same before the counters have caught up', async () => {
    const entries = Array.from({ length: 37 }, (_, n) => ({
      id: `i${n + 10}`,
      at: iso(start + n * 400),
      status: 'OPEN',
      type: 'FRAUD',
    }));
    await store('UNCOUNTED', entries, { counted: false });
    for (const order of ['ASC', 'DESC'] as const) {
      expect((await byOffset('UNCOUNTED', { order, size: 5 })).flat()).toEqual(expected(entries, { order }));
    }
    await store('HALF', entries.slice(0, 20));
    await store('HALF', entries.slice(20), { counted: false });
    expect((await byOffset('HALF', { order: 'ASC', size: 5 })).flat()).toEqual(expected(entries, { order: 'ASC' }));
  });

  it('go on where they were when new items come in between', async () => {
    const entries = Array.from({ length: 20 }, (_, n) => ({
      id: `i${n + 10}`,
      at: iso(start + n * 1000),
      status: 'OPEN',
      type: 'FRAUD',
    }));
    await store('GROWING', entries);
    const first = await page('GROWING', { size: 10 });
    await store('GROWING', [{ id: 'new', at: iso(start + 60_000), status: 'OPEN', type: 'FRAUD' }]);
    const second = await page('GROWING', { size: 10, cursor: first.next_cursor ?? '' });
    expect([...first.list, ...second.list]).toEqual(expected(entries, {}));
  });

  it('reject a cursor that Forewarn did not issue', async () => {
    for (const cursor of ['', 'x', Buffer.from("' OR 1=1").toString('base64url')]) {
      await expect(page('ANY', { cursor })).rejects.toMatchObject({ code: 'request_invalid' });
    }
  });
});

describe('totalResult', () => {
  const entries = Array.from({ length: 120 }, (_, n) => ({
    id: `i${String(n).padStart(3, '0')}`,
    at: iso(start + n * 17 * 60_000),
    status: statuses[n % 3] ?? '',
    type: types[n % 2] ?? '',
  }));
  beforeAll(() => store('TOTAL', entries));

  it.each([
    {},
    { order: 'ASC' },
    { facets: ['OPEN|FRAUD', 'OPEN|DISPUTE'] },
    { facets: ['NONE|FRAUD'] },
    { from: '2026-05-01T00:00:00.000Z', to: '2026-05-02T00:00:00.000Z' },
    { from: '2026-05-01T03:15:00.000Z' },
    { from: '2026-05-01T03:15:00.000Z', to: '2026-05-01T15:40:00.001Z', facets: ['DONE|FRAUD', 'WIP|FRAUD'] },
    { to: '2026-05-01T00:24:00.001Z' },
    { from: '2027-01-01T00:00:00.000Z' },
  ] as const satisfies Filters[])('is how many items the filters allow, on every page: %j', async (filters) => {
    const total = expected(entries, filters).length;
    for (const size of [1, 7, 50]) {
      for (const offset of [0, 1, size, 20, 60, 119, 120, 1000]) {
        expect((await page('TOTAL', { ...filters, size, offset })).totalResult).toBe(total);
      }
    }
    const first = await page('TOTAL', { ...filters, size: 5 });
    if (first.next_cursor)
      expect((await page('TOTAL', { ...filters, size: 5, cursor: first.next_cursor })).totalResult).toBe(total);
  });

  it('is exact where the page shows the end, even before the counters have caught up', async () => {
    await store('LATE', entries.slice(0, 10), { counted: false });
    expect(await page('LATE', { size: 10 })).toMatchObject({ totalResult: 10, next_cursor: null });
    expect((await page('LATE', { size: 9 })).totalResult).toBe(10);
  });
});

describe('what a page reads', () => {
  /** A thousand items at 25 a second: as fast as a busy intake writes them. */
  const entries = Array.from({ length: 1000 }, (_, n) => ({
    id: `i${String(n).padStart(4, '0')}`,
    at: iso(start + n * 40),
    status: statuses[n % 7 === 0 ? 1 : n % 100 === 0 ? 2 : 0] ?? '',
    type: types[n % 2] ?? '',
  }));
  beforeAll(() => store('MANY', entries));
  const filters: Filters[] = [
    {},
    { order: 'ASC' },
    { facets: crossFacets(['OPEN'], types) },
    { facets: crossFacets(statuses, ['FRAUD']) },
    { facets: crossFacets(statuses, types) },
    { scopeIndex: 2, scope: 'M1' },
  ];

  it.each(filters)('is at most twice as many items as it shows: %j', async (filter) => {
    for (const size of [10, 50, 200]) {
      let cursor: string | undefined;
      for (let pages = 0; pages < 4; pages += 1) {
        const reads = await countReads(async () => {
          cursor = (await page('MANY', { ...filter, size, cursor })).next_cursor ?? undefined;
        });
        expect(reads.items).toBeLessThanOrEqual(2 * size);
        expect(reads.rows).toBeLessThanOrEqual(1);
        if (cursor === undefined) break;
      }
    }
  });

  it.each(filters)('is little more when it begins at any offset, where the hour is counted: %j', async (filter) => {
    for (const size of [50, 100, 200]) {
      for (const offset of [size - 1, size, size + 1, 333, 500, 799]) {
        const reads = await countReads(() => page('MANY', { ...filter, size, offset }));
        expect(reads.items).toBeLessThanOrEqual(2 * size);
        expect(reads.counted).toBeLessThanOrEqual(entries.length + 2 * (filter.facets?.length ?? 1));
        // All time, and the days of a month.
        expect(reads.rows).toBeLessThanOrEqual(1 + 31);
      }
    }
  });

  it('is next to nothing beyond the end', async () => {
    expect((await countReads(() => page('MANY', { offset: 1_000_000 }))).items).toBe(0);
  });
});
