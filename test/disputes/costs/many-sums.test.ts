import { expect, it } from 'vitest';
import { maxSums } from '#core/platform/table/additions-row.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { costAfter } from '#disputes/alerts/cost/cost.ts';
import { type AlertCostChange, costChange, saveCosts } from '#disputes/costs/cost-store.ts';
import { anAlert, start } from '#test/disputes/alerts/samples.ts';
import { useEmulator } from '#test/support/table.ts';

useEmulator();

const key = keys.alertDay('M1', '2026-05-02');
const toChange = (alertId: number, attributes: readonly string[]): AlertCostChange => {
  const cost = costAfter(undefined, { ...anAlert(), alertId }, () => null, start);
  if (!cost) throw new Error('The alert costs nothing');
  const fixed = { entity: 'REPORT' };
  return {
    ...costChange({ cost: null, reported: null, inVolumes: false }, cost, start),
    additions: attributes.map((attribute) => ({ key, fixed, attribute, n: 1 })),
  };
};
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}|${index}`);

it('keeps alerts whose sums in one row are more than an expression holds', async () => {
  const own = Array.from({ length: 25 }, (_, alert) => ['received', ...names(`refunded|${alert}`, 16)]);
  await saveCosts(own.map((attributes, index) => toChange(index + 1, attributes)));
  const row = await getItem(key);
  expect(row).toMatchObject(Object.fromEntries(own.flat().map((name) => [name, name === 'received' ? 25 : 1])));
});

it('writes as many sums at once as a row may get', async () => {
  await saveCosts([toChange(26, names('most', maxSums))]);
  expect(await getItem(key)).toMatchObject({ [`most|${maxSums - 1}`]: 1 });
});
