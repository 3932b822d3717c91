import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type CountedState, countGroup, countItems, type Marker } from '#core/platform/lists/counter-store.ts';
import {
  countBuckets,
  countChanges,
  countsByPart,
  facetOf,
  listKeys,
  listNameOf,
  listPosition,
  listsOf,
  type Scopes,
} from '#core/platform/lists/listing.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, type Item, putItem } from '#core/platform/table/table.ts';
import { handler } from '#jobs/counter/handler.ts';
import { counterWorker } from '#jobs/counter/worker.ts';
import { toTransactionItem } from '#payments/transactions/transaction/transaction-row.ts';
import { aPayment } from '#test/payments/cardsearch/seed.ts';
import { useEmulator } from '#test/support/table.ts';

useEmulator();

const statuses = ['OPEN', 'WIP', 'DONE'] as const;
type Listed = { id: string; entity: string; at: string; scopes: Scopes; status: string };
const toItem = ({ id, entity, at, scopes, status }: Listed, extra: Item = {}): Item => ({
  pk: `${entity}#${id}`,
  sk: entity,
  entity,
  ...listKeys(entity, scopes, facetOf(status, 'X'), listPosition(at, id)),
  ...extra,
});

let sequence = 0;
const record = (before: Item | undefined, after: Item | undefined): DynamoDBRecord => {
  sequence += 1;
  return {
    dynamodb: {
      SequenceNumber: String(sequence),
      ...(before && { OldImage: marshall(before) as NonNullable<DynamoDBRecord['dynamodb']>['OldImage'] }),
      ...(after && { NewImage: marshall(after) as NonNullable<DynamoDBRecord['dynamodb']>['NewImage'] }),
    } as NonNullable<DynamoDBRecord['dynamodb']>,
  };
};
const count = async (...records: DynamoDBRecord[]) => {
  expect(await handler({ Records: records })).toEqual({ batchItemFailures: [] });
};
const readTotal = async (list: string, facets?: string[], bucket = 'ALL') =>
  [...countsByPart(await getItem(keys.count(list, bucket)), facets).values()].reduce((sum, n) => sum + n, 0);

let entities = 0;
/** A name of its own for each test, so that none counts another's items. */
const fresh = () => {
  entities += 1;
  return `E${entities}`;
};
const at = '2026-05-02T10:05:07.123Z';

afterEach(() => vi.restoreAllMocks());

describe('the counter', () => {
  it('counts an item in each of its lists, under its facet, by month and hour', async () => {
    const entity = fresh();
    await count(record(undefined, toItem({ id: '1', entity, at, scopes: ['all', 'M1', null, 'S3'], status: 'OPEN' })));
    for (const scope of ['all', 'M1', 'S3']) {
      for (const { bucket, part } of countBuckets(at.slice(0, 19))) {
        expect(
          Object.fromEntries(countsByPart(await getItem(keys.count(listNameOf(entity, scope), bucket)), ['OPEN|X'])),
        ).toEqual({ [part]: 1 });
      }
    }
  });

  it('moves an item whose facet changes, and takes out one that is deleted', async () => {
    const entity = fresh();
    const open = { id: '1', entity, at, scopes: ['all'] as const, status: 'OPEN' };
    await count(record(undefined, toItem(open)));
    await count(record(toItem(open), toItem({ ...open, status: 'DONE' })));
    expect(await readTotal(listNameOf(entity, 'all'), ['OPEN|X'])).toBe(0);
    expect(await readTotal(listNameOf(entity, 'all'), ['DONE|X'])).toBe(1);
    await count(record(toItem({ ...open, status: 'DONE' }), undefined));
    expect(await readTotal(listNameOf(entity, 'all'))).toBe(0);
  });

  it('moves an item that changes its entity and lists', async () => {
    const [inbox, owned] = [fresh(), fresh()];
    const before = toItem({ id: '1', entity: inbox, at, scopes: ['all'], status: 'OPEN' });
    const after = {
      ...toItem({ id: '1', entity: owned, at, scopes: ['all', 'M1', 'R1', 'S1'], status: 'OPEN' }),
      pk: before['pk'],
    };
    await count(record(undefined, before), record(before, after));
    expect([await readTotal(listNameOf(inbox, 'all')), await readTotal(listNameOf(owned, 'S1'))]).toEqual([0, 1]);
  });

  it('makes no call for writes that leave the lists as they are', async () => {
    const item = toItem({ id: '1', entity: fresh(), at, scopes: ['all'], status: 'OPEN' });
    const send = vi.spyOn(DynamoDBDocumentClient.prototype, 'send');
    await count(record(item, { ...item, attempts: 3 }), record({ pk: 'x', sk: 'x' }, { pk: 'x', sk: 'x', n: 1 }));
    expect(send).not.toHaveBeenCalled();
  });

  it('takes a batch of a hundred items of as many merchants', async () => {
    const entity = fresh();
    const items = Array.from({ length: 100 }, (_, n) =>
      toItem({ id: String(n), entity, at, scopes: ['all', `M${n}`, `R${n}`, `S${n}`], status: 'OPEN' }),
    );
    await count(...items.map((item) => record(undefined, item)));
    expect(await readTotal(listNameOf(entity, 'all'))).toBe(100);
    expect(await readTotal(listNameOf(entity, 'S99'))).toBe(1);
  });

  it('spreads the list of all items over eight lists, which are counted separately', async () => {
    const items = Array.from({ length: 40 }, (_, n) =>
      toItem({ id: String(n), entity: 'UNMATCHED', at, scopes: ['all', `M9${n}`, 'A7', null], status: 'OPEN' }),
    );
    const send = vi.spyOn(DynamoDBDocumentClient.prototype, 'send');
    await count(...items.map((item) => record(undefined, item)));
    const transactions = send.mock.calls.flatMap(([{ input }]) =>
      'TransactItems' in input ? [input.TransactItems] : [],
    );
    const rowsOfAll = transactions.map((parts) => JSON.stringify(parts).match(/"COUNT#UNMATCHED#all/g)?.length ?? 0);
    // Eight lists of two rows, each written once or, where a transaction is full, twice, though no two items share a merchant.
    expect(rowsOfAll.reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(32);
    const totals = await Promise.all(listsOf('UNMATCHED', 'all').map((list) => readTotal(list)));
    expect(totals.slice(1).filter((n) => n > 0)).toHaveLength(8);
    expect(totals.reduce((sum, n) => sum + n, 0)).toBe(40);
    expect(await readTotal(listNameOf('UNMATCHED', 'M93'))).toBe(1);
    // The items of one alert are counted on demand.
    expect(await getItem(keys.count('UNMATCHED#A7', 'ALL'))).toBeUndefined();
  });

  it('takes an item that was counted before there were shards into one, when it changes', async () => {
    const fresh = toItem({ id: 'old', entity: 'UNMATCHED', at, scopes: ['all', 'M1', 'A7'], status: 'DONE' });
    const old: Item = { ...fresh, listLeaf: 'OPEN|X', list1Pk: 'UNMATCHED#all', list1fPk: 'UNMATCHED#all#OPEN|X' };
    const all = async () =>
      (await Promise.all(listsOf('UNMATCHED', 'all').map((list) => readTotal(list)))).reduce((sum, n) => sum + n, 0);
    const others = await all();
    // As the last release counted it.
    const lists = ['UNMATCHED#all', 'UNMATCHED#M1', 'UNMATCHED#A7'];
    const listed = { lists, facet: 'OPEN|X', second: at.slice(0, 19) };
    await putItem({ ...keys.counted(String(old['pk'])), entity: 'COUNTED', sequence: '', listed });
    for (const list of lists) {
      for (const { bucket, part } of countBuckets(listed.second)) {
        await putItem({ ...keys.count(list, bucket), [`${part}|OPEN|X`]: 1 });
      }
    }
    expect(await all()).toBe(others + 1);
    await count(record(old, fresh));
    expect([await all(), await readTotal('UNMATCHED#all'), await readTotal('UNMATCHED#M1', ['DONE|X'])]).toEqual([
      others + 1,
      0,
      1,
    ]);
    await count(record(fresh, undefined));
    expect([await all(), await readTotal('UNMATCHED#M1')]).toEqual([others, 0]);
  });

  it('counts once when the same batch runs twice at once', async () => {
    const entity = fresh();
    const records = Array.from({ length: 20 }, (_, n) =>
      record(undefined, toItem({ id: String(n), entity, at, scopes: ['all'], status: 'OPEN' })),
    );
    await Promise.all([count(...records), count(...records), count(...records)]);
    expect(await readTotal(listNameOf(entity, 'all'))).toBe(20);
  });

  it('counts nothing from a marker that was replaced meanwhile', async () => {
    const entity = fresh();
    const listed = (facet: string) => ({ lists: [`${entity}#M1`], facet, second: at.slice(0, 19) });
    const state = (facet: string, own: string) => ({ itemPk: `${entity}#1`, listed: listed(facet), sequence: own });
    await countItems([state('OPEN|X', '1')]);
    const stale = (marker: Marker, own: string): CountedState => ({
      state: { marker: `${entity}#1`, listed: listed('DONE|X'), sequence: own },
      marker,
      changes: countChanges(marker?.listed, listed('DONE|X')),
    });
    await countItems([state('WIP|X', '2')]);
    expect(await countGroup([stale({ listed: listed('OPEN|X'), sequence: '1' }, '3')])).toBe(false);
    expect(await countGroup([stale(undefined, '3')])).toBe(false);
    const total = (facet: string) => readTotal(`${entity}#M1`, [facet]);
    expect([await total('OPEN|X'), await total('WIP|X'), await total('DONE|X')]).toEqual([0, 1, 0]);
    await countItems([state('DONE|X', '3')]);
    expect([await total('WIP|X'), await total('DONE|X')]).toEqual([0, 1]);
  });

  it('counts once when the answer to its transaction is lost', async () => {
    const entity = fresh();
    const records = [record(undefined, toItem({ id: '1', entity, at, scopes: ['all'], status: 'OPEN' }))];
    const send = DynamoDBDocumentClient.prototype.send;
    vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(async function (
      this: unknown,
      ...given: unknown[]
    ) {
      const answer = await Reflect.apply(send, this, given);
      if ((given[0] as object).constructor.name === 'TransactWriteCommand') throw new Error('the line went dead');
      return answer;
    });
    await expect(handler({ Records: records })).rejects.toThrow('the line went dead');
    vi.restoreAllMocks();
    await count(...records);
    expect(await readTotal(listNameOf(entity, 'all'))).toBe(1);
  });

  it('ends equal to the items, however batches are cut, doubled, replayed and reordered', async () => {
    const history = fc.record({
      steps: fc.array(fc.record({ item: fc.nat(5), status: fc.constantFrom(...statuses, 'gone') }), {
        minLength: 1,
        maxLength: 25,
      }),
      cuts: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 30, maxLength: 30 }),
      order: fc.array(fc.nat(1000), { minLength: 60, maxLength: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(history, async ({ steps, cuts, order }) => {
        const entity = fresh();
        const held = new Map<number, Item>();
        const records = steps.map(({ item, status }) => {
          const before = held.get(item);
          const after =
            status === 'gone'
              ? undefined
              : toItem({ id: String(item), entity, at, scopes: ['all', `M${item % 2}`], status });
          if (after) held.set(item, after);
          else held.delete(item);
          return record(before ?? (after ? undefined : { pk: `${entity}#${item}`, sk: entity }), after);
        });
        const batches: DynamoDBRecord[][] = [];
        for (let from = 0, n = 0; from < records.length; n += 1) {
          const size = cuts[n] ?? 1;
          batches.push(records.slice(from, from + size));
          from += size;
        }
        const doubled = [...batches, ...batches].map((batch, index) => ({ batch, rank: order[index] ?? 0 }));
        for (const { batch } of doubled.sort((left, right) => left.rank - right.rank)) await count(...batch);
        for (const status of statuses) {
          for (const scope of ['all', 'M0', 'M1']) {
            const expected = [...held.values()].filter(
              (item) =>
                item['listLeaf'] === facetOf(status, 'X') && Object.values(item).includes(listNameOf(entity, scope)),
            );
            expect(await readTotal(listNameOf(entity, scope), [facetOf(status, 'X')])).toBe(expected.length);
          }
        }
      }),
      { numRuns: 25 },
    );
  });
});

it('needs just what it is granted', async () => {
  const seen = new Set<string>();
  const send = DynamoDBDocumentClient.prototype.send;
  vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(function (this: unknown, ...given: unknown[]) {
    const command = given[0] as { constructor: { name: string }; input: { TransactItems?: object[] } };
    if (command.input.TransactItems)
      for (const part of command.input.TransactItems) for (const verb of Object.keys(part)) seen.add(`${verb}Item`);
    else seen.add(command.constructor.name.replace('Command', 'Item'));
    return Reflect.apply(send, this, given);
  });
  await count(record(undefined, toItem({ id: '1', entity: fresh(), at, scopes: ['all'], status: 'OPEN' })));
  // What found it in searches goes with a row.
  await count(record(toTransactionItem(aPayment({ sid: 1, mid: 1, rid: 1 })), undefined));
  expect(seen).toEqual(new Set(counterWorker.grants.table));
});
