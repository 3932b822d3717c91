import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { checkCounts, type Holding, rebuildCounts } from '#core/platform/lists/count-repair-store.ts';
import { countsByPart, facetOf, listKeys, listNameOf, listPosition, readListed } from '#core/platform/lists/listing.ts';
import { type PageRequest, readPage } from '#core/platform/lists/listing-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, queryItems, transact } from '#core/platform/table/table.ts';
import { useTable } from '#test/support/table.ts';
import { count, countAs, countedItem, fresh, nextInStream, spoil, start, stored } from './counted-rows.ts';

useTable();

/** Something to be set right, so that a rebuild has a pause. */
const spoilElsewhere = (entity: string) => spoil(listNameOf(entity, 'all'), 'DAY#2026-04-01', '10|OPEN|X', 1);
const noPause = async () => undefined;
const differences = async (entity: string, ...owners: Holding['owner'][]) =>
  (await checkCounts(owners.map((owner) => ({ entity, owner })))).differences;
const rebuild = (entity: string, pause: () => Promise<unknown> = noPause, ...owners: Holding['owner'][]) =>
  rebuildCounts(
    (owners.length > 0 ? owners : [1]).map((owner) => ({ entity, owner })),
    pause,
  );
const everybody = ['all', 1, 2] as const;

describe('the check of counts', () => {
  it('finds nothing where the counter has counted every item', async () => {
    const entity = fresh();
    await stored(entity, 12);
    expect(await differences(entity, 1)).toEqual([]);
    expect(await differences(fresh(), 1)).toEqual([]);
  });

  it('finds items that were counted too often, too rarely or wrongly', async () => {
    const entity = fresh();
    await stored(entity, 6);
    const list = listNameOf(entity, 'M1');
    await spoil(list, 'ALL', '2026-05|OPEN|X', 3);
    await spoil(list, 'DAY#2026-04-01', '10|OPEN|X', 1);
    const uncounted = countedItem(entity, 6);
    await putItem(uncounted);
    const found = await differences(entity, 1);
    expect(found).toContainEqual({
      key: keys.count(list, 'DAY#2026-04-01'),
      attribute: '10|OPEN|X',
      counted: 1,
      found: 0,
    });
    expect(found).toContainEqual({ key: keys.count(list, 'ALL'), attribute: '2026-05|OPEN|X', counted: 7, found: 5 });
    expect(found.map(({ key }) => key.pk)).toContain(keys.count(listNameOf(entity, 'R10'), '').pk);
  });
});

describe('the rebuild of counts', () => {
  it('corrects every wrong count of this merchant, and of no other', async () => {
    const wrong = fc.array(
      fc.record({
        scope: fc.constantFrom('M1', 'R10', 'R11'),
        bucket: fc.constantFrom('ALL', 'DAY#2026-05-01', 'DAY#2026-05-02'),
        facet: fc.constantFrom('OPEN|X', 'DONE|X', 'GONE|X'),
        part: fc.constantFrom('2026-05', '01', '02', '15'),
        by: fc.integer({ min: -5, max: 5 }),
      }),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(wrong, async (changes) => {
        const entity = fresh();
        await stored(entity, 9);
        await stored(entity, 2, 2);
        for (const { scope, bucket, facet, part, by } of changes) {
          await spoil(listNameOf(entity, scope), bucket, `${part}|${facet}`, by);
        }
        await rebuild(entity);
        expect(await differences(entity, 1)).toEqual([]);
        expect(await differences(entity, 2)).toEqual([]);
      }),
      { numRuns: 8 },
    );
  });

  it('counts items that were never counted, once: their record may still come', async () => {
    const entity = fresh();
    const item = countedItem(entity, 1);
    await putItem(item);
    expect(await rebuild(entity)).toEqual({ corrected: 0, counted: 1, left: 0 });
    await count(item);
    expect(await differences(entity, 1)).toEqual([]);
    const changed = countedItem(entity, 1, 'DONE');
    await putItem(changed);
    await count(changed);
    expect(await differences(entity, 1)).toEqual([]);
  });

  it('leaves alone what changes while it looks, for it may be work under way', async () => {
    const entity = fresh();
    const item = countedItem(entity, 1);
    await putItem(item);
    expect(await rebuild(entity, () => count(item))).toMatchObject({ corrected: 0, counted: 0 });
    expect(await differences(entity, 1)).toEqual([]);
  });

  it.each(['OPEN', 'DONE'])('leaves to the stream what is written meanwhile, if it is %s', async (status) => {
    const entity = fresh();
    await stored(entity, 2);
    const item = countedItem(entity, status === 'OPEN' ? 2 : 1, status);
    await spoilElsewhere(entity);
    await rebuild(entity, () => putItem(item), ...everybody);
    await count(item);
    expect(await differences(entity, ...everybody)).toEqual([]);
  });

  it('gives pages their totals and offsets back', async () => {
    const entity = fresh();
    await stored(entity, 30);
    const list = listNameOf(entity, 'M1');
    await spoil(list, 'ALL', '2026-05|OPEN|X', 100);
    await spoil(list, 'DAY#2026-05-02', '01|OPEN|X', -4);
    await rebuild(entity);
    const request: PageRequest = { entity, scopeIndex: 2, scope: 'M1', order: 'ASC', size: 5, offset: 20 };
    const { list: page, totalResult } = await readPage<{ n: number }>(request);
    expect([totalResult, page.map(({ n }) => n)]).toEqual([30, [20, 21, 22, 23, 24]]);
  });
});

describe('the rebuild of every list', () => {
  const scopes = ['all', 'M1', 'R10', 'R11', 'M2', 'R20', 'R21'] as const;
  const damage = fc.oneof(
    fc.record({
      kind: fc.constantFrom('wrong', 'doubled', 'missing'),
      scope: fc.constantFrom(...scopes),
      bucket: fc.constantFrom('ALL', 'DAY#2026-05-01', 'DAY#2026-05-02'),
    }),
    fc.record({
      kind: fc.constantFrom('marker lost', 'never counted', 'only marked'),
      n: fc.nat(6),
      mid: fc.constantFrom(1, 2),
    }),
  );
  type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

  const damageRow = async (entity: string, { kind, scope, bucket }: Extract<Damage, { scope: string }>) => {
    const key = keys.count(listNameOf(entity, scope), bucket);
    if (kind === 'missing') return transact({ row: { Delete: { Key: key } } });
    const row = (await getItem(key)) ?? {};
    for (const [attribute, n] of Object.entries(row)) {
      if (typeof n === 'number') await spoil(listNameOf(entity, scope), bucket, attribute, kind === 'doubled' ? n : 2);
    }
  };
  /** An item more that the counts do not hold (or its merchant's alone), or one whose marker is gone. */
  const damageItem = async (entity: string, { kind, n, mid }: Extract<Damage, { n: number }>) => {
    if (kind === 'marker lost') return transact({ row: { Delete: { Key: keys.counted(`${entity}#${mid}#${n}`) } } });
    const item = countedItem(entity, 100 + n, 'OPEN', mid);
    await putItem(item);
    if (kind === 'never counted') return;
    await putItem({ ...keys.counted(String(item['pk'])), entity: 'COUNTED', sequence: '!', listed: readListed(item) });
  };
  const spoilAll = async (entity: string, damages: readonly Damage[]) => {
    for (const one of damages) await ('scope' in one ? damageRow(entity, one) : damageItem(entity, one));
  };
  const totals = async (entity: string) =>
    Object.fromEntries(
      await Promise.all(
        scopes.map(async (scope) => {
          const row = await getItem(keys.count(listNameOf(entity, scope), 'ALL'));
          return [scope, [...countsByPart(row).values()].reduce((sum, n) => sum + n, 0)] as const;
        }),
      ),
    );
  const storedTotals = async (entity: string) =>
    Object.fromEntries(
      await Promise.all(
        scopes.map(async (scope) => {
          const index = { a: 1, M: 2, R: 3 }[scope.charAt(0)];
          const { items } = await queryItems({
            IndexName: `list${index}`,
            KeyConditionExpression: `list${index}Pk = :list`,
            ExpressionAttributeValues: { ':list': listNameOf(entity, scope) },
          });
          return [scope, items.length] as const;
        }),
      ),
    );

  it('makes all of them agree with the items, whatever was missing, doubled, wrong or unmarked', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 6 }), async (damages) => {
        const entity = fresh();
        for (const mid of [1, 2]) await stored(entity, 7, mid);
        await spoilAll(entity, damages);
        await rebuild(entity, noPause, ...everybody);
        expect(await checkCounts(everybody.map((owner) => ({ entity, owner })))).toEqual({
          differences: [],
          unmarked: 0,
        });
        expect(await totals(entity)).toEqual(await storedTotals(entity));
      }),
      { numRuns: 8 },
    );
  });

  it('does no harm to what is written meanwhile, and ends right once that has come to rest', async () => {
    const writes = fc.array(fc.record({ n: fc.nat(9), facet: fc.constantFrom('OPEN', 'DONE'), isLate: fc.boolean() }), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { maxLength: 4 }), writes, async (damages, written) => {
        const entity = fresh();
        for (const mid of [1, 2]) await stored(entity, 7, mid);
        await spoilElsewhere(entity);
        await spoilAll(entity, damages);
        const late: (() => Promise<void>)[] = [];
        await rebuild(
          entity,
          async () => {
            for (const { n, facet, isLate } of written) {
              const item = countedItem(entity, n, facet);
              await putItem(item);
              const place = nextInStream();
              if (isLate) late.push(() => countAs(place, item));
              else await countAs(place, item);
            }
          },
          ...everybody,
        );
        for (const countLate of late) await countLate();
        if (damages.length === 0) expect(await differences(entity, ...everybody)).toEqual([]);
        await rebuild(entity, noPause, ...everybody);
        expect(await differences(entity, ...everybody)).toEqual([]);
        expect(await totals(entity)).toEqual(await storedTotals(entity));
      }),
      { numRuns: 8 },
    );
  });

  it('stays correct while items are written and counted', async () => {
    const entity = fresh();
    for (const mid of [1, 2]) await stored(entity, 7, mid);
    await spoil(listNameOf(entity, 'all'), 'ALL', '2026-05|OPEN|X', 4);
    const write = async (from: number) => {
      for (let n = from; n < from + 12; n += 1) {
        const item = countedItem(entity, n, n % 2 === 0 ? 'OPEN' : 'DONE');
        await putItem(item);
        await count(item);
      }
    };
    const writer = write(0);
    await rebuild(entity, () => write(20), ...everybody);
    await writer;
    await rebuild(entity, noPause, ...everybody);
    expect(await differences(entity, ...everybody)).toEqual([]);
    expect(await totals(entity)).toEqual(await storedTotals(entity));
  });

  it.each(['never counted', 'marker lost'] as const)(
    'leaves the list of all right when one merchant is repaired: %s',
    async (kind) => {
      const entity = fresh();
      for (const mid of [1, 2]) await stored(entity, 4, mid);
      await damageItem(entity, { kind, n: 1, mid: 1 });
      expect(await rebuild(entity)).toEqual({ corrected: 0, counted: 1, left: 0 });
      expect(await differences(entity, ...everybody)).toEqual([]);
      expect(await rebuild(entity)).toEqual({ corrected: 0, counted: 0, left: 0 });
    },
  );

  it('counts an item that went from one list to another where it is, and no more where it was', async () => {
    const [inbox, entity] = [fresh(), fresh()];
    const key = { pk: `${inbox}#1`, sk: inbox };
    const lists = (name: string, ...more: ['M1'?]) =>
      listKeys(name, ['all', ...more], facetOf('OPEN', 'X'), listPosition(new Date(start).toISOString(), 1));
    await count({ ...key, ...lists(inbox) });
    await putItem({ ...key, ...lists(entity, 'M1'), summary: {} });
    await rebuildCounts(
      [inbox, entity].map((name) => ({ entity: name, owner: 'all' as const })),
      noPause,
    );
    expect([...(await differences(inbox, 'all')), ...(await differences(entity, 'all', 1))]).toEqual([]);
  });

  it('pauses once for all that differs, and not at all where everything agrees', async () => {
    const entity = fresh();
    for (const mid of [1, 2]) await stored(entity, 4, mid);
    const pause = vi.fn(noPause);
    await rebuild(entity, pause, ...everybody);
    expect(pause).not.toHaveBeenCalled();
    for (const scope of scopes) await spoil(listNameOf(entity, scope), 'ALL', '2026-05|OPEN|X', 1);
    expect(await rebuild(entity, pause, ...everybody)).toEqual({ corrected: scopes.length, counted: 0, left: 0 });
    expect(pause).toHaveBeenCalledOnce();
  });
});
