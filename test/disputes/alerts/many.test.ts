import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import type { Item } from '#core/platform/table/table.ts';
import { createAlert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { countRowsOf, writeRows } from '#test/support/many-rows.ts';
import { ask, useOperations } from '#test/support/operations.ts';
import { aProviderAlert } from './samples.ts';
import { callsDuring, fresh, itemsReadDuring, seedSite } from './seed.ts';

/** A merchant with thousands of open alerts: what the inbox asks stays as cheap as for one with ten. The bench has 100,000. */
useOperations();

const many = 10_000;
const types = ['FRAUD', 'DISPUTE', 'CANCEL'] as const;
const hours = { FRAUD: 24, DISPUTE: 24, CANCEL: 24 } as const;
const minute = 60_000;
const begin = Date.parse('2026-04-01T00:00:00.000Z');

let site: Site;
const rowAt = (n: number): Item => {
  const alert = aProviderAlert({ type: types[n % types.length] ?? 'FRAUD', amount: '9.00', currency: 'USD' });
  const at = new Date(begin + n * minute).toISOString();
  const row = toAlertItem(createAlert(fresh(), alert, at, { site, matchedDescriptor: 'SHOP' }));
  return Object.fromEntries(Object.entries(row).filter(([name]) => !otherIndexes.test(name)));
};
/** The merchant's list alone is read here, and each index makes the emulator slower: it keeps ten of an alert. */
const otherIndexes = /^(?:list[134]f?|due)(?:Pk|Sk)$/;
beforeAll(async () => {
  site = await seedSite();
  const client = new DynamoDBClient({ maxAttempts: 1 });
  const where = { client, table: 'forewarn-test' };
  const rows = Array.from({ length: many }, (_, n) => rowAt(n));
  await writeRows(where, rows);
  await writeRows(where, countRowsOf(rows));
  client.destroy();
});

type Shown = { alert_id: number; alert_date: string; alert_type: keyof typeof hours; deadline: string };
type Page = { list: Shown[]; totalResult: number; next_cursor: string | null };
/** The two lists of the inbox: fraud, and disputes. */
const lists = [['FRAUD'], ['DISPUTE', 'CANCEL']] as const;

const readPage = async (wanted: readonly string[], cursor: string | null | undefined): Promise<Page> => {
  const body = { status: ['OPEN'], alert_type: wanted, order: 'ASC', size: 50, ...(cursor && { cursor }) };
  return (await ask('alerts/list-alerts', { as: { mid: site.mid }, body })).body as Page;
};

describe('with 10,000 open alerts', () => {
  it.each(lists)('a page of those of type %s takes a handful of calls, wherever it is', async (...some) => {
    const wanted = types.filter((type) => some.some((one) => one === type));
    let cursor: string | null | undefined;
    let calls = 0;
    const seen: string[] = [];
    for (let pages = 0; pages < 5; pages += 1) {
      calls = await callsDuring(async () => {
        const page = await readPage(wanted, cursor);
        expect(page.list).toHaveLength(50);
        seen.push(...page.list.map(({ alert_date }) => alert_date));
        cursor = page.next_cursor;
      });
      // A query or two for each type, and the counts of the merchant's list.
      expect(calls).toBeLessThanOrEqual(3 * wanted.length + 2);
    }
    expect(seen).toEqual(seen.toSorted());
    expect(new Set(seen).size).toBe(250);
  });

  it('the inbox reads at most twice what it shows, page by page, and shows all by its deadline', async () => {
    const cursors: (string | null | undefined)[] = lists.map(() => undefined);
    const seen = new Set<number>();
    for (let pages = 0; pages < 5; pages += 1) {
      let shown: Shown[] = [];
      const read = await itemsReadDuring(async () => {
        const some = await Promise.all(lists.map((wanted, index) => readPage(wanted, cursors[index])));
        for (const [index, page] of some.entries()) cursors[index] = page.next_cursor;
        expect(some.reduce((sum, { totalResult }) => sum + totalResult, 0)).toBe(many);
        shown = some.flatMap(({ list }) => list);
      });
      expect(shown).toHaveLength(100);
      expect(read).toBeGreaterThanOrEqual(shown.length);
      expect(read).toBeLessThanOrEqual(2 * shown.length);
      for (const { alert_id, alert_date, alert_type, deadline } of shown) {
        expect(Date.parse(deadline) - Date.parse(alert_date)).toBe(hours[alert_type] * 60 * minute);
        seen.add(alert_id);
      }
    }
    expect(seen.size).toBe(500);
  });

  it('what is held for those of a page takes one call more, and none where nothing can be held', async () => {
    const callsFor = (more: object) =>
      callsDuring(() => ask('alerts/list-alerts', { as: { mid: site.mid }, body: { size: 100, ...more } }));
    const without = await callsFor({ status: 'OPEN' });
    expect(await callsFor({ status: 'OPEN', with_held_txid: true })).toBe(without + 1);
    const declined = await callsFor({ status: 'DECLINED' });
    expect(await callsFor({ status: 'DECLINED', with_held_txid: true })).toBe(declined);
  });

  it('alerts that are named are read in one call, in their order, and another merchant sees none of them', async () => {
    const { list } = await readPage(lists[0] ?? {}, undefined);
    const alert_ids = [...list.slice(0, 3).map(({ alert_id }) => alert_id), 1].reverse();
    const named = async (mid: number) =>
      (await ask('alerts/list-alerts', { as: { mid }, body: { alert_ids: [...alert_ids, alert_ids[1]] } }))
        .body as Page;
    let seen: Shown[] = [];
    expect(
      await callsDuring(async () => {
        seen = (await named(site.mid)).list;
      }),
    ).toBe(1);
    expect(seen.map(({ alert_id }) => alert_id)).toEqual(alert_ids.slice(1));
    expect((await named(site.mid + 1)).list).toEqual([]);
  });

  it('the pulse takes three, one of them for open test alerts', async () => {
    expect(await callsDuring(() => ask('alerts/pulse', { as: { mid: site.mid }, body: {} }))).toBeLessThanOrEqual(3);
  });
});
