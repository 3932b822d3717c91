import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { milliseconds } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { fromKeptItem } from '#disputes/alerts/cost/cost-row.ts';
import { keepCosts } from '#disputes/costs/cost-store.ts';
import { isCountedAlert, isWindow, volumeAttributes, volumeWithin } from '#disputes/rules/volume/volume.ts';
import { countVolumes, readVolumeRows, type VolumeCache, volumeFacts } from '#disputes/rules/volume/volume-store.ts';
import { handler } from '#jobs/counter/handler.ts';
import { tallyAlerts } from '#jobs/tally-store.ts';
import { anAlert, aSite } from '#test/disputes/alerts/samples.ts';
import { useTable } from '#test/support/table.ts';

useTable();

let last = 1_000_000_000_000_000;
let lastSite = 5000;
const newSite = () => {
  lastSite += 1;
  return aSite({ sid: lastSite });
};
const alertAt = (
  site: ReturnType<typeof aSite>,
  receivedAt: string,
  providerAlert: Parameters<typeof anAlert>[0] = {},
): Alert => {
  last += 1;
  return { ...anAlert({ type: 'DISPUTE', ...providerAlert }, site), alertId: last, receivedAt };
};

let sequence = 0;
const toRecord = (alert: Alert, before?: Alert): DynamoDBRecord => {
  sequence += 1;
  const image = (one: Alert) => marshall(toAlertItem(one), { removeUndefinedValues: true });
  return {
    dynamodb: {
      SequenceNumber: String(sequence),
      ...(before && { OldImage: image(before) as NonNullable<DynamoDBRecord['dynamodb']>['OldImage'] }),
      NewImage: image(alert) as NonNullable<DynamoDBRecord['dynamodb']>['NewImage'],
    } as NonNullable<DynamoDBRecord['dynamodb']>,
  };
};

const readVolume = async (alert: Alert, of: string, window: string, at = alert.receivedAt, currency = 'USD') => {
  const cache: VolumeCache = new Map();
  const subject = {
    sid: alert.owner?.sid ?? 0,
    descriptor: alert.providerAlert.descriptor,
    card: alert.providerAlert.card,
  };
  const asked = [{ of, window }];
  await readVolumeRows(asked, [{ subject, at }], cache);
  const facts = volumeFacts(asked, { subject, at, currency }, cache);
  return [facts[`volume_count(${of}, ${window})`], facts[`volume_sum(${of}, ${window})`]];
};

describe('volumes', () => {
  it('count and sum what a site, a descriptor and a card had, each by itself', async () => {
    const site = newSite();
    const at = '2026-05-02T10:20:00.000Z';
    const first = alertAt(site, at, { amount: '10.50' });
    const others = [
      alertAt(site, at, { amount: '1.00', card: '411111xxxxxx2222' }),
      alertAt(site, at, { amount: '2.00', descriptor: 'OTHER' }),
      alertAt(newSite(), at, { amount: '4.00' }),
      alertAt(site, at, { amount: '8.00', currency: 'EUR' }),
    ];
    await countVolumes([first, ...others]);
    expect(await readVolume(first, 'site', '1h')).toEqual([4, 13.5]);
    expect(await readVolume(first, 'descriptor', '1h')).toEqual([3, 11.5]);
    expect(await readVolume(first, 'card', '1h')).toEqual([3, 12.5]);
    expect(await readVolume(first, 'site', '1h', at, 'EUR')).toEqual([4, 8]);
    expect(await readVolume(alertAt(site, at, { card: '' }), 'card', '1h')).toEqual([null, null]);
  });

  it('count an alert once, even if stream records are repeated or counted concurrently', async () => {
    const site = newSite();
    const alerts = [0, 1, 2].map(() => alertAt(site, '2026-05-02T10:20:00.000Z', { amount: '1.00' }));
    const [first, second, third] = alerts;
    if (!first || !second || !third) throw new Error('Three were made');
    const records = alerts.map((alert) => toRecord(alert));
    await Promise.all(alerts.map((alert) => putItem(toAlertItem(alert))));
    await Promise.all([
      handler({ Records: records }),
      handler({ Records: records.toReversed() }),
      countVolumes([second]),
      countVolumes([third, first]),
    ]);
    await handler({ Records: [...records, toRecord({ ...first, version: 2 }, first)] });
    expect(await readVolume(first, 'site', '1h')).toEqual([3, 3]);
  });

  it('do not count again what an earlier release has counted, and marked in a row of its own', async () => {
    const site = newSite();
    const alert = alertAt(site, '2026-05-02T10:20:00.000Z');
    await putItem(toAlertItem(alert));
    await putItem({ ...keys.volumeMark(alert.alertId), entity: 'VOLUMEMARK' });
    await handler({ Records: [toRecord(alert)] });
    await countVolumes([alert]);
    expect(await readVolume(alert, 'site', '1h')).toEqual([0, 0]);
  });

  it("are stored next to the alert's cost, whichever of them comes first", async () => {
    const site = newSite();
    const alerts = [0, 1, 2].map(() => alertAt(site, '2026-05-02T10:20:00.000Z', { amount: '1.00' }));
    const ids = alerts.map(({ alertId }) => alertId);
    await Promise.all(alerts.map((alert) => putItem(toAlertItem(alert))));
    const [first, second] = alerts;
    if (!first || !second) throw new Error('Three were made');
    await countVolumes([first]);
    await keepCosts([second.alertId]);
    await Promise.all([tallyAlerts(ids, ids), countVolumes(alerts), keepCosts(ids), tallyAlerts(ids, ids)]);
    expect(await readVolume(first, 'site', '1h')).toEqual([3, 3]);
    for (const id of ids) {
      expect(fromKeptItem(await getItem(keys.alertCost(id)))).toMatchObject({
        ...{ cost: { alertId: id }, reported: { version: 1 }, inVolumes: true },
      });
    }
  });

  it('begin with an alert’s owner: one of the inbox counts when it is assigned', async () => {
    const site = newSite();
    const alert = alertAt(site, '2026-05-02T10:20:00.000Z');
    const unowned = { ...alert, owner: null };
    await putItem(toAlertItem(unowned));
    await handler({ Records: [toRecord(unowned)] });
    expect(await readVolume(alert, 'site', '1h')).toEqual([0, 0]);
    await putItem(toAlertItem({ ...alert, version: 2 }));
    await handler({ Records: [toRecord({ ...alert, version: 2 }, unowned)] });
    expect(await readVolume(alert, 'site', '1h')).toEqual([1, 361.56]);
  });

  it('leave out what is only for information, tests, and what repeats another alert', () => {
    const site = newSite();
    const at = '2026-05-02T10:20:00.000Z';
    const kinds = [
      alertAt(site, at, { type: 'FRAUD_NOTICE' }),
      alertAt(site, at, { test: true }),
      { ...alertAt(site, at), duplicateOf: 7 },
      { ...alertAt(site, at), owner: null },
    ];
    expect(kinds.map(isCountedAlert)).toEqual([false, false, false, false]);
    expect(isCountedAlert(alertAt(site, at))).toBe(true);
  });

  it('reach back to the beginning of the hour in which their window starts, and no further', async () => {
    const site = newSite();
    const hours = ['08:59', '09:00', '09:45', '10:20'].map((time) => alertAt(site, `2026-05-02T${time}:00.000Z`));
    await countVolumes(hours);
    const [any] = hours;
    if (!any) throw new Error('Four were made');
    expect(await readVolume(any, 'site', '1h', '2026-05-02T10:20:00.000Z')).toEqual([3, 1084.68]);
    expect(await readVolume(any, 'site', '2h', '2026-05-02T10:20:00.000Z')).toEqual([4, 1446.24]);
  });

  it('equal a count of the alerts themselves, over any window', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 40 * 24 * 60 }), { minLength: 1, maxLength: 30 }),
        fc.constantFrom('1h', '5h', '24h', '3d', '30d'),
        async (minutes, window) => {
          const site = newSite();
          const end = Date.parse('2026-05-02T10:20:00.000Z');
          const times = minutes.map((minute) => end - minute * milliseconds.minute);
          const alerts = times.map((time) => alertAt(site, new Date(time).toISOString(), { amount: '1.00' }));
          await countVolumes(alerts);
          const hours = Number.parseInt(window, 10) * (window.endsWith('d') ? 24 : 1);
          const from = end - hours * milliseconds.hour - (end % milliseconds.hour);
          const expected = times.filter((time) => time >= from).length;
          const [any] = alerts;
          if (!any) throw new Error('There is at least one');
          expect(await readVolume(any, 'site', window, new Date(end).toISOString())).toEqual([expected, expected]);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('are capped at the largest sum for amounts that exceed a number', async () => {
    const site = newSite();
    const alert = alertAt(site, '2026-05-02T10:20:00.000Z', { amount: '999999999999999.99' });
    await countVolumes([alert, alertAt(site, alert.receivedAt, { amount: '1.00' })]);
    expect(await readVolume(alert, 'site', '1h')).toEqual([2, 10_000_000_001]);
  });
});

it('knows windows from an hour to thirty days', () => {
  expect(['1h', '24h', '720h', '1d', '30d'].map(isWindow)).not.toContain(false);
  expect(['0h', '721h', '31d', '1m', 'h', '01h', '1.5h', ' 1h', '-1h'].map(isWindow)).not.toContain(true);
});

it('reads rows that are not there as nothing', () => {
  expect(volumeWithin(() => undefined, '30d', '2026-05-02T10:20:00.000Z', 'USD')).toEqual({ count: 0, minor: 0 });
  expect(volumeAttributes('2026-05-02T10:20:00.000Z', 'USD')).toEqual({ count: '10|n', sum: '10|USD' });
});
