import { afterEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { type Item, putItem } from '#core/platform/table/table.ts';
import { type Alert, createAlert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { pulseDays, toPulse } from '#disputes/alerts/pulse/pulse.ts';
import { saveSearchEntries } from '#disputes/search/search-entry-store.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { aProviderAlert } from './samples.ts';
import { callsDuring, fresh, seedClaims, seedSite, take } from './seed.ts';

useOperations();
afterEach(() => setClock());

const now = Date.parse('2026-05-02T10:30:00.000Z');

describe('a pulse', () => {
  it('counts what awaits an answer, and of that what is late or due within six hours', () => {
    const all = {
      pk: 'COUNT#ALERT#M1',
      '2026-05|OPEN|FRAUD': 3,
      '2026-05|WIP|DISPUTE': 2,
      '2026-04|OTHER|CANCEL': 1,
      '2026-05|RESOLVED|FRAUD': 9,
      '2026-05|INFORM|FRAUD_NOTICE': 4,
    };
    const days = [
      // Two of the fraud alerts came in this morning, the third yesterday at 16:00: it is due at 16:00 today.
      { day: '2026-05-02', row: { '09|OPEN|FRAUD': 2, '08|RESOLVED|FRAUD': 5 } },
      { day: '2026-05-01', row: { '16|OPEN|FRAUD': 1, '12|WIP|DISPUTE': 1 } },
      { day: '2026-04-30', row: undefined },
      // Received 67 and 22 hours ago: a network that gives 24 hours wants their answers by now, or soon.
      { day: '2026-04-29', row: { '15|WIP|DISPUTE': 1 } },
    ];
    // The cancellation of weeks ago is late.
    expect(toPulse(all, days, [], now)).toMatchObject({ open: 6, due_soon: 4 });
    expect(pulseDays(now)).toEqual(days.map(({ day }) => day));
  });

  it('is another one when a count is another', () => {
    const digest = (row: Record<string, number>) => toPulse(row, [], [], now).digest;
    expect(digest({ a: 1, b: 2 })).toBe(digest({ b: 2, a: 1 }));
    expect(digest({ a: 1, b: 2 })).not.toBe(digest({ a: 1, b: 3 }));
  });

  it('returns the newest alert that the caller may see, in three calls', async () => {
    setClock(() => now);
    const site = await seedSite();
    await seedClaims('provider_a', 'EXACT', `SHOP ${site.sid}`, site);
    const taken = await take('provider_a', {
      alertId: 'P1',
      arn: null,
      authCode: null,
      merchantDescriptor: `SHOP ${site.sid}`,
    });
    const list = `ALERT#M${site.mid}`;
    await putItem({ ...keys.count(list, 'ALL'), '2026-05|OPEN|FRAUD': 1 });
    await putItem({ ...keys.count(list, 'DAY#2026-05-02'), '10|OPEN|FRAUD': 1 });
    const as = { mid: site.mid };
    const calls = await callsDuring(async () => {
      const { body } = await ask('alerts/pulse', { as, body: {} });
      expect(body).toMatchObject({ open: 1, due_soon: 0, newest: { alert_id: taken.alert_id } });
    });
    expect(calls).toBe(3);
    expect((await ask('alerts/pulse', { as, body: { sid: site.sid } })).body).toMatchObject({ open: 0 });
    expect((await ask('alerts/pulse', { as: 'admin', body: {} })).status).toBe(200);
    const other = await seedSite();
    expect((await ask('alerts/pulse', { as: { mid: other.mid }, body: {} })).body).toMatchObject({ newest: null });
    for (const body of [{ sid: site.sid }, { mid: site.mid }])
      expect(await ask('alerts/pulse', { as: { mid: other.mid }, body })).toMatchObject({ status: 404 });
  });

  it('leaves out open test alerts, which the stored counts include, and compares each with its alert', async () => {
    setClock(() => now);
    const site = await seedSite();
    const at = '2026-05-02T10:00:00.000Z';
    const rowOf = (test: boolean) =>
      toAlertItem(createAlert(fresh(), aProviderAlert({ test }), at, { site, matchedDescriptor: 'S' }));
    const add = async (item: Item, after = item) => {
      await saveSearchEntries([{ before: undefined, after: item }]);
      await putItem(after);
    };
    for (const list of [`M${site.mid}`, `S${site.sid}`]) {
      await putItem({ ...keys.count(`ALERT#${list}`, 'ALL'), '2026-05|OPEN|FRAUD': 3 });
      await putItem({ ...keys.count(`ALERT#${list}`, 'DAY#2026-05-02'), '10|OPEN|FRAUD': 3 });
    }
    await add(rowOf(false));
    await add(rowOf(true));
    const asked = async (body = {}) => (await ask('alerts/pulse', { as: { mid: site.mid }, body })).body;
    expect(await asked()).toMatchObject({ open: 2, due_soon: 0 });
    expect(await asked({ sid: site.sid })).toMatchObject({ open: 2, due_soon: 0 });
    const before = rowOf(true);
    const after = { ...before, alert: { ...(before['alert'] as Alert), status: 'RESOLVED' as const } };
    await add(before, after);
    expect(await asked()).toMatchObject({ open: 2 });
    await putItem(before);
    expect(await asked()).toMatchObject({ open: 1 });
    await saveSearchEntries([{ before, after }]);
    expect(await asked()).toMatchObject({ open: 2 });
  });
});

it('does and refuses what it declares', () => expectDeclared('alerts/pulse'));
