import { expect, it } from 'vitest';
import { untilIdle } from '#lib/local/demo/steps.ts';

it('explains every ten seconds that a busy machine keeps the demo waiting, and never gives up', async () => {
  const told: number[] = [];
  let asked = 0;
  const client = { status: async () => ({ now: '', idle: ++asked > 400, queues: {} }) };
  // Each time it is read, a second has passed.
  let seconds = 0;
  await untilIdle(client, { now: () => seconds++ * 1000, notify: (waited) => told.push(waited) });
  expect(told.slice(0, 3)).toEqual([10, 20, 30]);
  expect(told).toHaveLength(40);
});
