import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import { countItems } from '#core/platform/lists/counter-store.ts';
import { readListed } from '#core/platform/lists/listing.ts';
import { getItem } from '#core/platform/table/table.ts';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { bundleName } from '#lib/build/bundle.ts';
import { costsOfAuthentications } from '#test/bench/authentication-calls.ts';
import { deployedDeliver, type FirstCalls, makeFirstCalls, undiciIn } from '#test/bench/bundles.ts';
import { costOfRouting, costOfUpdate, costsOfIntake } from '#test/bench/calls.ts';
import { coldCases, coldUpdate } from '#test/bench/cold-cases.ts';
import { buildBaseline, coldCall, maskWork } from '#test/bench/cold-start.ts';
import { type CountedTable, startCountedTable } from '#test/bench/counted-table.ts';
import { costOfDelivering } from '#test/bench/deliveries.ts';
import { benchLists, countRowsOf, maxItemsRead, measurePages, storeMany } from '#test/bench/lists.ts';
import { benchOrder } from '#test/bench/lookup-samples.ts';
import { costOfLookup, countLookups, storeOrders } from '#test/bench/lookups.ts';
import { costsOfPayments, costsOfRefunds } from '#test/bench/payment-calls.ts';
import { builtCode } from '#test/support/built-code.ts';
import { type Call, createReadCounter } from '#test/support/call-counter.ts';
import { startMemoryTable } from '#test/support/memory-table.ts';

/** Exact counts of what the service spends, where they were promised. Times are `npm run bench`'s. */

let table: CountedTable;
beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  table = await startCountedTable();
});
afterAll(async () => {
  await table[Symbol.asyncDispose]();
  vi.restoreAllMocks();
});

describe('calls', () => {
  it("a merchant's update of an alert: one read, one transaction", async () => {
    expect((await costOfUpdate(table.counter)).counts).toEqual({ BatchGetItem: 1, TransactWriteItems: 1 });
  });

  it('an alert costs two reads and a transaction, three reads if duplicate, one if unmatched, two if known', async () => {
    const { matched, duplicate, unmatched, replayed } = await costsOfIntake(table.counter);
    expect([matched.counts, duplicate.counts]).toEqual([
      { BatchGetItem: 2, TransactWriteItems: 1 },
      // The third tells whether the first alert still stands.
      { BatchGetItem: 3, TransactWriteItems: 1 },
    ]);
    expect(unmatched.counts).toEqual({ BatchGetItem: 1, TransactWriteItems: 1 });
    // The second shows whether the message is about the transaction of its case.
    expect(replayed.counts).toEqual({ BatchGetItem: 1, GetItem: 1 });
  });

  it('a payment at the sandbox: one read and two transactions, and a read more where the site has a fraud template', async () => {
    const costs = await costsOfPayments(table.counter);
    const unchecked = { counts: { BatchGetItem: 1, TransactWriteItems: 2 }, messages: 0 };
    const checked = { counts: { BatchGetItem: 2, TransactWriteItems: 2 }, messages: 0 };
    const decline = { status: 'EXC', error_code: 'card_declined' };
    expect(costs).toEqual({
      plain: { ...unchecked, status: 'OK' },
      checked: { ...checked, status: 'OK' },
      preauth: { ...unchecked, status: 'OK' },
      declined: { ...unchecked, ...decline },
      checkedDeclined: { ...checked, ...decline },
      firstTid: { ...unchecked, status: 'OK' },
      checkedFirstTid: { ...checked, status: 'OK' },
      replayed: { counts: { BatchGetItem: 1, GetItem: 1 }, messages: 0, status: 'OK' },
      // An order that is kept costs no call.
      kept: { ...unchecked, status: 'OK' },
      keptPreauth: { ...unchecked, status: 'OK' },
      keptDeclined: { ...unchecked, ...decline },
      authenticated: { ...unchecked, status: 'OK' },
      checkedAuthenticated: { ...checked, status: 'OK' },
      status: { counts: { BatchGetItem: 2 }, messages: 0, status: 'OK' },
    });
  });

  it('an authentication costs two calls for each question to the server, and one to read it', async () => {
    const costs = await costsOfAuthentications(table.counter);
    const counts = Object.fromEntries(Object.entries(costs).map(([name, cost]) => [name, cost.counts]));
    expect(counts).toEqual({
      create3ds: { BatchGetItem: 1, TransactWriteItems: 1 },
      start: { UpdateItem: 1, TransactWriteItems: 1 },
      authenticate: { UpdateItem: 1, TransactWriteItems: 1 },
      status: { BatchGetItem: 1 },
      get3ds: { BatchGetItem: 1 },
      // Both, and what the issuer writes down.
      challenged: { UpdateItem: 2, TransactWriteItems: 2, PutItem: 1 },
      frame: { GetItem: 1, TransactWriteItems: 1 },
      // Its owner, its row, and its end; the third read is the issuer's.
      returned: { GetItem: 3, TransactWriteItems: 1 },
    });
    expect(Object.values(costs).every(({ messages }) => messages === 0)).toBe(true);
  });

  it('a refund or a void: two reads, a query for the latest alerts, and two transactions; the sandbox, being the other side, writes its own state too', async () => {
    const { stripe, sandbox, kept } = await costsOfRefunds(table.counter);
    const ours = { BatchGetItem: 2, Query: 1, TransactWriteItems: 2 };
    const done = { counts: ours, messages: 0, status: 'OK' };
    const replayed = { counts: { BatchGetItem: 2, Query: 1, GetItem: 1 }, messages: 0, status: 'OK' };
    expect(stripe).toEqual({ part: done, rest: done, voided: done, replayed });
    const first = { ...done, counts: { ...ours, PutItem: 1 } };
    // Its first write meets what it has written before.
    const second = { ...done, counts: { ...ours, PutItem: 2 } };
    expect(sandbox).toEqual({ part: first, rest: second, voided: first, replayed });
    expect(kept).toEqual(sandbox);
  });

  it('a look-up of an order: two reads, one message', async () => {
    const first = benchOrder(0, 20, nowMilliseconds());
    await storeOrders(table.client, [first]);
    // The first call also asks for the provider's secret, which is kept.
    await costOfLookup(table.counter, first);
    expect(await costOfLookup(table.counter, first)).toEqual({
      counts: { BatchGetItem: 1, Query: 1, SendMessageBatch: 1 },
      messages: 1,
    });
  });

  it('a full batch of the router: ten messages to a call', async () => {
    expect(await costOfRouting(table.counter, 100)).toEqual({ counts: { SendMessageBatch: 10 }, messages: 100 });
  });

  it('delivered webhooks: two writes each, a read each of the held payment and one for ten, over connections that are kept', async () => {
    const handler = deployedDeliver(await builtCode().folderOf('webhooks/deliver'));
    const { batches, most, connections } = await costOfDelivering(table.counter, 3, handler);
    // A new alert says at each attempt which payment is held for it by then.
    const batch = { BatchGetItem: 1, GetItem: 10, UpdateItem: 10, PutItem: 10 };
    expect(batches).toEqual([{ ...batch, GetSecretValue: expect.any(Number) }, batch, batch]);
    expect({ most, connections }).toEqual({ most: 10, connections: 10 });
  });
});

/** A table of many rows is kept in memory: DynamoDB's own emulator spends most of the time on writing them. */
const useManyRows = (): { take: () => Call[] } => {
  const { onCall, take } = createReadCounter();
  let memory: ReturnType<typeof startMemoryTable>;
  beforeAll(() => {
    memory = startMemoryTable(onCall);
  });
  afterAll(() => memory.stop());
  return { take };
};

describe('look-ups of orders', () => {
  useManyRows();

  it('show no wrong one of many', async () => {
    const orders = Array.from({ length: 500 }, (_, n) => benchOrder(n, 20, nowMilliseconds()));
    await storeOrders(table.client, orders);
    const { right, wrong } = await countLookups(orders, 200);
    expect([wrong, right > 100]).toEqual([0, true]);
  });
});

describe('pages of a list of 1,000 read at most twice what they show, and a few counters', () => {
  const counter = useManyRows();

  it.each(benchLists)('$name', async (list) => {
    await storeMany(table.client, list, 1000, () => undefined);
    const orders = list === benchLists[0] ? (['DESC', 'ASC'] as const) : (['DESC'] as const);
    for (const page of await measurePages(list, 1000, 10, counter, orders)) {
      const { name, shown, itemsRead, itemsCounted, keysRead } = page;
      expect(shown, name).toBe(10);
      expect(itemsRead, name).toBeLessThanOrEqual(maxItemsRead(list, page));
      // All time, and the days of a month, of each list; that of all items is nine.
      expect(keysRead, name).toBeLessThanOrEqual((1 + 31) * 9);
      // The first pages count nothing, except where no counts are kept: those pages count the whole list.
      if (!name.includes('offset') && list.name !== 'notifications') expect(itemsCounted, name).toBe(0);
      // Further in, what the hour or the short list has, and both ends of each partition.
      expect(itemsCounted, name).toBeLessThanOrEqual(3 * 1000);
    }
  });

  it('counted as the service itself counts them', async () => {
    const [, , , list] = benchLists;
    if (!list) throw new Error('There are four lists');
    const other = { ...list, rowOf: (n: number) => movedTo('OTHER', list.rowOf(n)) };
    const states = Array.from({ length: 100 }, (_, n) => other.rowOf(n)).map((row) => ({
      itemPk: String(row['pk']),
      listed: readListed(row),
      sequence: '1'.padStart(40, '0'),
    }));
    await countItems(states);
    for (const row of countRowsOf(other, 100)) {
      expect(await getItem({ pk: String(row['pk']), sk: String(row['sk']) })).toEqual(row);
    }
  });
});

/** The same row in lists of another name, so that nothing else is counted there. */
const movedTo = (entity: string, row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      /^list\df?Pk$/.test(name) ? String(value).replace(/^[^#]+/, entity) : value,
    ]),
  );

describe('a cold start', () => {
  describe('of any function', () => {
    let first: FirstCalls;
    beforeAll(async () => {
      const { bundleOf } = builtCode();
      const built = [...operations, ...workers]
        .map(bundleName)
        .map(async (name) => [name, await bundleOf(name)] as const);
      first = await makeFirstCalls({ bundles: new Map(await Promise.all(built)) });
    });

    it('finds CommonJS, wherever it lies, that exports a handler', () => {
      expect(first.names).toHaveLength(operations.length + workers.length);
      expect(first.found.map(({ kind }) => kind)).toEqual(first.names.map(() => 'function'));
    });

    it('of the API, its first call included, loads no undici', () => {
      const ofApi = first.names.slice(0, operations.length);
      expect(ofApi.filter((_, index) => undiciIn(first.found[index]?.loaded ?? []).length > 0)).toEqual([]);
      expect(first.statuses).toHaveLength(operations.length);
      expect(first.statuses.flatMap((status, index) => (status >= 500 ? [ofApi[index]] : []))).toEqual([]);
      expect(first.calls).toBeGreaterThan(first.statuses.length / 2);
    });
  });

  it.each(coldCases)('of $title makes the calls to AWS that its case lists', async (one) => {
    const code = join(await builtCode().folderOf(bundleName(one.operation)), 'index.js');
    expect((await coldCall(code, one)).sent.map(({ target }) => target)).toEqual(one.sent);
  });

  it('of update-alert is measured against code that sends the same calls with the same rows', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'forewarn-budget-'));
    try {
      const ours = join(await builtCode().folderOf(bundleName(coldUpdate.operation)), 'index.js');
      const [mine, other] = [await coldCall(ours, coldUpdate), await coldCall(await buildBaseline(folder), coldUpdate)];
      expect(maskWork(mine.sent)).toEqual(maskWork(other.sent));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
