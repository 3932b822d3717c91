import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countItems } from '#core/platform/lists/counter-store.ts';
import { facetOf, listKeys, listPosition, readListed } from '#core/platform/lists/listing.ts';
import { type Page, readPage } from '#core/platform/lists/listing-store.ts';
import { type Item, putItem } from '#core/platform/table/table.ts';
import { useTable } from '#test/support/table.ts';

useTable();

const start = Date.parse('2026-05-01T23:50:00.000Z');
let entities = 0;
const mergedItem = (entity: string, n: number, retailer: number, minute: number): Item => ({
  pk: `${entity}#${n}`,
  sk: entity,
  entity,
  ...listKeys(
    entity,
    ['all', 'M1', `R${retailer}`],
    facetOf(n % 2 === 0 ? 'EVEN' : 'ODD', 'X'),
    listPosition(new Date(start + minute * 60_000).toISOString(), String(n).padStart(4, '0')),
  ),
  summary: { n },
});
let sequence = 0;
const store = async (items: readonly Item[]) => {
  for (const item of items) await putItem(item);
  sequence += 1;
  await countItems(
    items.map((item) => ({
      itemPk: String(item['pk']),
      listed: readListed(item),
      sequence: String(sequence).padStart(40, '0'),
    })),
  );
};

const entries = fc.array(fc.record({ retailer: fc.integer({ min: 1, max: 4 }), minute: fc.nat(30) }), {
  maxLength: 30,
});
const requests = fc.record({
  retailers: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
  isEven: fc.boolean(),
  order: fc.constantFrom('ASC' as const, 'DESC' as const),
  size: fc.integer({ min: 1, max: 7 }),
  late: fc.array(fc.record({ retailer: fc.integer({ min: 1, max: 4 }), minute: fc.nat(30) }), { maxLength: 3 }),
});

it('several lists read as one show every item once and in order, whatever is written meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(entries, requests, async (given, { retailers, isEven, order, size, late }) => {
      entities += 1;
      const entity = `MERGED${entities}`;
      const items = given.map(({ retailer, minute }, n) => ({
        n,
        retailer,
        item: mergedItem(entity, n, retailer, minute),
      }));
      await store(items.map(({ item }) => item));
      const wanted = items
        .filter(({ n, retailer }) => retailers.includes(retailer) && (!isEven || n % 2 === 0))
        .sort((one, other) => (String(one.item['listSk']) < String(other.item['listSk']) ? -1 : 1))
        .map(({ n }) => n);
      if (order === 'DESC') wanted.reverse();
      const request = {
        entity,
        scopeIndex: 3,
        scope: retailers.map((retailer) => `R${retailer}`),
        facets: isEven ? [facetOf('EVEN', 'X')] : undefined,
        order,
        size,
      } as const;
      const byOffset: number[] = [];
      for (let offset = 0; offset <= wanted.length; offset += size) {
        const page: Page<{ n: number }> = await readPage({ ...request, offset });
        expect(page.totalResult).toBe(wanted.length);
        byOffset.push(...page.list.map(({ n }) => n));
      }
      expect(byOffset).toEqual(wanted);
      const seen: number[] = [];
      let cursor: string | undefined;
      for (let turn = 0; ; turn += 1) {
        const page: Page<{ n: number }> = await readPage({ ...request, cursor });
        seen.push(...page.list.map(({ n }) => n));
        const written = late[turn];
        if (written) await store([mergedItem(entity, 1000 + 2 * turn, written.retailer, written.minute)]);
        if (page.next_cursor === null) break;
        cursor = page.next_cursor;
      }
      expect(seen.filter((n) => n < 1000)).toEqual(wanted);
      expect(new Set(seen).size).toBe(seen.length);
    }),
    { numRuns: 15 },
  );
});

it('the list of all items includes every shard, and items stored before there were shards', async () => {
  const items = Array.from({ length: 60 }, (_, n) => {
    const item = mergedItem('DELIVERY', n, 1, n % 30);
    if (n % 3 > 0) return item;
    const facet = String(item['listLeaf']);
    return { ...item, list1Pk: 'DELIVERY#all', list1fPk: `DELIVERY#all#${facet}` };
  });
  await store(items);
  const inOrder = items
    .toSorted((one, other) => (String(one['listSk']) < String(other['listSk']) ? 1 : -1))
    .map((item) => (item['summary'] as { n: number }).n);
  const request = { entity: 'DELIVERY', scopeIndex: 1, scope: 'all', order: 'DESC', size: 7 } as const;
  for (const facets of [undefined, ['EVEN|X']] as const) {
    const wanted = inOrder.filter((n) => !facets || n % 2 === 0);
    const shown: number[] = [];
    let cursor: string | undefined;
    do {
      const page: Page<{ n: number }> = await readPage({ ...request, facets, cursor });
      expect(page.totalResult).toBe(wanted.length);
      shown.push(...page.list.map(({ n }) => n));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect(shown).toEqual(wanted);
    for (const offset of [0, 8, 23]) {
      const { list } = await readPage<{ n: number }>({ ...request, facets, offset });
      expect(list.map(({ n }) => n)).toEqual(wanted.slice(offset, offset + 7));
    }
  }
});

it('a list of one alert is counted by reading it', async () => {
  const items = Array.from({ length: 23 }, (_, n) => {
    const item = mergedItem('CHARGEBACK', n, 1, n);
    return { ...item, list3Pk: 'CHARGEBACK#A5' };
  });
  await store(items);
  const facetOfSummary = ({ n }: Item) => facetOf(Number(n) % 2 === 0 ? 'EVEN' : 'ODD', 'X');
  const list = { entity: 'CHARGEBACK', scopeIndex: 3, scope: 'A5', order: 'ASC', size: 5 } as const;
  const request = { ...list, facetOf: facetOfSummary };
  expect(await readPage(request)).toMatchObject({ totalResult: 23, list: [0, 1, 2, 3, 4].map((n) => ({ n })) });
  expect(await readPage({ ...request, offset: 12, facets: ['ODD|X'] })).toMatchObject({ totalResult: 11, list: [] });
  expect(await readPage({ ...request, offset: 20 })).toMatchObject({
    totalResult: 23,
    list: [20, 21, 22].map((n) => ({ n })),
  });
});
