import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { iso, milliseconds, setClock } from '#core/kernel/clock.ts';
import { checkCounts, rebuildCounts } from '#core/platform/lists/count-repair-store.ts';
import { countItems } from '#core/platform/lists/counter-store.ts';
import { crossFacets, facetOf, listKeys, listPosition, readListed } from '#core/platform/lists/listing.ts';
import { type PageRequest, readPage } from '#core/platform/lists/listing-store.ts';
import { splitSpans } from '#core/platform/lists/spans.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, type Item, putItem, updateItem } from '#core/platform/table/table.ts';
import { handler } from '#jobs/counter/handler.ts';
import { useTable } from '#test/support/table.ts';

/** Lists that are counted on demand: the counts that are kept, and when they are forgotten. */

useTable();

const { minute, hour, day } = milliseconds;
const start = Date.parse('2026-05-01T00:00:00.000Z');
let now = start;
beforeAll(() => setClock(() => now));
afterAll(() => setClock());
afterEach(() => vi.restoreAllMocks());

const makeItem = (mid: number, n: number, at: number, state = 'DELIVERED'): Item => ({
  pk: `DELIVERY#${mid}-${n}`,
  sk: 'DELIVERY',
  entity: 'DELIVERY',
  ...listKeys(
    'DELIVERY',
    ['all', `M${mid}`, `A${n}`, `S${mid}`],
    facetOf(state, 'new_alert'),
    listPosition(iso(at), String(n).padStart(4, '0')),
  ),
  summary: { n },
});

const toRecord = (before: Item | undefined, after: Item): DynamoDBRecord => ({
  dynamodb: {
    SequenceNumber: '1',
    ...(before && { OldImage: marshall(before) as NonNullable<DynamoDBRecord['dynamodb']>['OldImage'] }),
    NewImage: marshall(after) as NonNullable<DynamoDBRecord['dynamodb']>['NewImage'],
  } as NonNullable<DynamoDBRecord['dynamodb']>,
});
const told = async (before: Item | undefined, after: Item) =>
  expect(await handler({ Records: [toRecord(before, after)] })).toEqual({ batchItemFailures: [] });
const change = async (before: Item | undefined, after: Item) => {
  await putItem(after);
  await told(before, after);
};

let merchants = 70;
const many = 420;
const every = 10 * minute;
const end = start + many * every;
/** A merchant with so many notifications, ten minutes between two of them, that what is counted of them is kept. */
const merchantWithMany = async (): Promise<{ mid: number; items: Item[] }> => {
  merchants += 1;
  const mid = merchants;
  const items = Array.from({ length: many }, (_, n) => makeItem(mid, n, start + n * every));
  for (let from = 0; from < many; from += 60)
    await Promise.all(items.slice(from, from + 60).map((item) => putItem(item)));
  return { mid, items };
};

const page = (mid: number, request: Partial<PageRequest> = {}) =>
  readPage<{ n: number }>({ entity: 'DELIVERY', scopeIndex: 2, scope: `M${mid}`, order: 'DESC', size: 5, ...request });
const pageTotal = async (mid: number, request: Partial<PageRequest> = {}) => (await page(mid, request)).totalResult;
const failed = { facets: crossFacets(['FAILED'], ['new_alert']) };
const delivered = { facets: crossFacets(['DELIVERED'], ['new_alert']) };

/** Counts the items that are counted in the index during some work. */
const countedDuring = async (act: () => Promise<unknown>): Promise<number> => {
  let counted = 0;
  const send = DynamoDBDocumentClient.prototype.send;
  const spy = vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(async function (
    this: unknown,
    ...given: unknown[]
  ) {
    const answer = await Reflect.apply(send, this, given);
    if ((given[0] as { input: { Select?: string } }).input.Select === 'COUNT') counted += answer.ScannedCount;
    return answer;
  });
  await act();
  spy.mockRestore();
  return counted;
};

describe('the spans of a range', () => {
  it('cover it once and in order; what is kept is over', () => {
    fc.assert(
      fc.property(fc.nat(9 * day), fc.nat(9 * day), fc.nat(10 * day), (first, length, after) => {
        const [from, to] = [iso(start + first), iso(start + first + length)];
        const then = start + first + after;
        const spans = splitSpans({ from, to }, then);
        expect(spans.map((span) => span.from)).toEqual([from, ...spans.map((span) => span.to)].slice(0, spans.length));
        expect(spans.at(-1)?.to ?? from).toBe(to);
        const kept = spans.filter(({ place }) => place !== null);
        for (const span of kept) {
          expect([hour, day]).toContain(Date.parse(span.to) - Date.parse(span.from));
          expect(Date.parse(span.to) + 5 * minute).toBeLessThanOrEqual(then);
        }
        expect(new Set(kept.map(({ place }) => JSON.stringify(place))).size).toBe(kept.length);
        // Never more than days, hours at both ends, and a rest at both.
        expect(spans.length).toBeLessThanOrEqual(10 + 2 * 24 + 2);
      }),
    );
  });
});

describe('a list that is counted on demand', () => {
  beforeEach(() => {
    now = end + 10 * minute;
  });

  it('has its total on every page, with every filter, and keeps what it counted', async () => {
    const { mid } = await merchantWithMany();
    expect(await countedDuring(async () => expect(await pageTotal(mid)).toBe(many))).toBeGreaterThan(many);
    // At first as many as a list may have that is counted whole each time, and what is not over yet.
    expect(await countedDuring(async () => expect(await pageTotal(mid)).toBe(many))).toBeLessThanOrEqual(401 + 12);
    for (const request of [{ order: 'ASC' }, { size: 50, offset: 200 }, delivered] as const) {
      expect(await pageTotal(mid, request)).toBe(many);
    }
    expect(await pageTotal(mid, failed)).toBe(0);
    const [from, to] = [iso(start + 50 * every), iso(start + 300 * every)];
    expect(await pageTotal(mid, { from, to })).toBe(250);
    expect(await getItem(keys.count(`DELIVERY#M${mid}`, 'DAYS#2026'))).toMatchObject({ '05-01': 144, '05-02': 144 });
  });

  it('is entered at any offset', async () => {
    const { mid } = await merchantWithMany();
    for (const offset of [6, 143, 144, 145, 300, 415, 419]) {
      const wanted = Array.from({ length: Math.min(5, many - offset) }, (_, n) => ({ n: offset + n }));
      expect((await page(mid, { order: 'ASC', offset })).list).toEqual(wanted);
      expect((await page(mid, { order: 'DESC', offset })).list).toEqual(wanted.map(({ n }) => ({ n: many - 1 - n })));
    }
    expect(await page(mid, { offset: 1_000_000 })).toMatchObject({ list: [], totalResult: many });
  });

  it('forgets what it kept of a day in which an item moves, told once, twice or late', async () => {
    const { mid, items } = await merchantWithMany();
    const [before] = items;
    if (!before) throw new Error('There are many');
    expect([await pageTotal(mid, delivered), await pageTotal(mid, failed)]).toEqual([many, 0]);
    const after = makeItem(mid, 0, start, 'FAILED');
    await change(before, after);
    await told(before, after);
    const totals = async () => [await pageTotal(mid, delivered), await pageTotal(mid, failed), await pageTotal(mid)];
    expect(await totals()).toEqual([many - 1, 1, many]);
    // An index lags: what was counted so shortly after a change is not kept.
    const kept = async () =>
      (await getItem(keys.count(`DELIVERY#M${mid}#DELIVERED|new_alert`, 'DAYS#2026')))?.['05-01'];
    expect(await kept()).toBeLessThan(0);
    now += 2 * minute;
    expect(await totals()).toEqual([many - 1, 1, many]);
    expect(await kept()).toBe(143);
    await told(before, after);
    expect(await totals()).toEqual([many - 1, 1, many]);
  });

  it('keeps what it counted of other days where an item of one moves all the time', async () => {
    const { mid, items } = await merchantWithMany();
    const [before] = items;
    if (!before) throw new Error('There are many');
    await told(before, makeItem(mid, 0, start, 'FAILED'));
    expect(await pageTotal(mid, delivered)).toBe(many);
    const name = `DELIVERY#M${mid}#DELIVERED|new_alert`;
    const days = await getItem(keys.count(name, 'DAYS#2026'));
    expect(days).toMatchObject({ '05-01': -now, '05-02': 144 });
  });

  it('does not keep what was counted while an item moved', async () => {
    const { mid, items } = await merchantWithMany();
    const [before] = items;
    if (!before) throw new Error('There are many');
    const after = makeItem(mid, 0, start, 'FAILED');
    const send = DynamoDBDocumentClient.prototype.send;
    let isChanged = false;
    vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(async function (
      this: unknown,
      ...given: unknown[]
    ) {
      const { name } = (given[0] as object).constructor;
      if (name === 'UpdateCommand' && !isChanged) {
        isChanged = true;
        // Counted, but not yet kept.
        await change(before, after);
      }
      return Reflect.apply(send, this, given);
    });
    await pageTotal(mid, delivered);
    vi.restoreAllMocks();
    expect(isChanged).toBe(true);
    now += 2 * minute;
    expect(await pageTotal(mid, delivered)).toBe(many - 1);
  });

  it('has nothing written for items that come and change within their hour', async () => {
    const item = makeItem(99, 1, now - 5 * minute, 'PENDING');
    const send = vi.spyOn(DynamoDBDocumentClient.prototype, 'send');
    await told(undefined, item);
    await told(item, makeItem(99, 1, now - 5 * minute));
    expect(send).not.toHaveBeenCalled();
  });

  it('is held against its items, and what is wrong is forgotten', async () => {
    const { mid } = await merchantWithMany();
    const facets = crossFacets(['PENDING', 'DELIVERED'], ['new_alert']);
    const holdings = [{ entity: 'DELIVERY', owner: mid, facets }];
    await pageTotal(mid);
    await pageTotal(mid, delivered);
    expect(await checkCounts(holdings)).toEqual({ differences: [], unmarked: 0 });
    const spoilt = [
      { key: keys.count(`DELIVERY#M${mid}`, 'DAYS#2026'), attribute: '05-01', counted: 7, found: 144 },
      {
        key: keys.count(`DELIVERY#M${mid}#PENDING|new_alert`, 'HOURS#2026-05-02'),
        attribute: '03',
        counted: 2,
        found: 0,
      },
    ];
    for (const { key, attribute, counted } of spoilt) {
      await updateItem({
        Key: key,
        UpdateExpression: 'SET #part = :n',
        ExpressionAttributeNames: { '#part': attribute },
        ExpressionAttributeValues: { ':n': counted },
      });
    }
    const { differences } = await checkCounts(holdings);
    expect(differences).toEqual(expect.arrayContaining(spoilt));
    expect(differences).toHaveLength(2);
    expect(await rebuildCounts(holdings, async () => undefined)).toEqual({ corrected: 2, counted: 0, left: 0 });
    expect(await checkCounts(holdings)).toEqual({ differences: [], unmarked: 0 });
    expect(await pageTotal(mid)).toBe(many);
  });

  it('is that of retailers’ alerts too, while those of their merchants are counted as they change', async () => {
    merchants += 1;
    const mid = merchants;
    const facet = facetOf('OPEN', 'FRAUD');
    const items = Array.from({ length: many }, (_, n) => ({
      ...{ pk: `ALERT#${mid}-${n}`, sk: 'ALERT', entity: 'ALERT', summary: { n } },
      ...listKeys(
        'ALERT',
        ['all', `M${mid}`, `R${mid}`, `S${mid}`],
        facet,
        listPosition(iso(start + n * every), String(n).padStart(4, '0')),
      ),
    }));
    for (let from = 0; from < many; from += 60)
      await Promise.all(items.slice(from, from + 60).map((item) => putItem(item)));
    await countItems(
      items.map((item) => ({ itemPk: item.pk, listed: readListed(item), sequence: '1'.padStart(40, '0') })),
    );
    now = end + day;
    const ofRetailer = { entity: 'ALERT', scopeIndex: 3, scope: `R${mid}` } as const;
    expect(await pageTotal(mid, ofRetailer)).toBe(many);
    expect(await getItem(keys.count(`ALERT#R${mid}`, 'ALL'))).toBeUndefined();
    expect(await getItem(keys.count(`ALERT#R${mid}`, 'DAYS#2026'))).toMatchObject({ '05-01': 144 });
    expect(await getItem(keys.count(`ALERT#M${mid}`, 'ALL'))).toMatchObject({ [`2026-05|${facet}`]: many });
    const holdings = [{ entity: 'ALERT', owner: mid, facets: [facet] }];
    expect(await checkCounts(holdings)).toEqual({ differences: [], unmarked: 0 });
    const key = keys.count(`ALERT#R${mid}`, 'DAYS#2026');
    await updateItem({
      Key: key,
      UpdateExpression: 'ADD #part :n',
      ExpressionAttributeNames: { '#part': '05-01' },
      ExpressionAttributeValues: { ':n': 5 },
    });
    expect(await checkCounts(holdings)).toEqual({
      differences: [{ key, attribute: '05-01', counted: 149, found: 144 }],
      unmarked: 0,
    });
    expect(await rebuildCounts(holdings, async () => undefined)).toEqual({ corrected: 1, counted: 0, left: 0 });
  });
});
