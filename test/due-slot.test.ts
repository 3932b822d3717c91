import { describe, expect, it } from 'vitest';
import { playSlot } from '#test/bench/due-slot.ts';

/** The result of `npm run bench -- --only due` for a slot at which very much is due. */
const deployed = { concurrency: 200, batchSize: 10 };
const patient = { ...deployed, putsOff: false };
const all = { hangingShare: 0, refusingShare: 0 };

describe('a slot that is played through', () => {
  it('takes a page, a batch and the endpoint for a few', () => {
    const played = playSlot({ deliveries: 10, sites: 10, ...all }, deployed);
    expect(played).toMatchObject({ released: 0.1, healthyLast: 0.46, ended: 0.46, maxAtOnce: 1 });
    expect(played.functionSeconds).toBeCloseTo(0.36);
  });

  it('waits for the slowest of each batch, and the longer the fewer functions there are', () => {
    const due = { deliveries: 20_000, sites: 1000, hangingShare: 0.05, refusingShare: 0.02 };
    const [few, many] = [playSlot(due, patient), playSlot(due, { ...patient, concurrency: 1000 })];
    expect(few.healthy99).toBeGreaterThan(playSlot({ ...due, hangingShare: 0 }, patient).healthy99);
    expect(few.ended).toBeGreaterThan(many.ended);
    expect(few.maxAtOnce).toBeLessThanOrEqual(200);
    expect(few.functionSeconds).toBeCloseTo(many.functionSeconds);
  });

  it('has healthy sites wait little for those that hang, and attempts all before a queue may hold up the last', () => {
    const due = { deliveries: 100_000, sites: 1000, hangingShare: 0.03, refusingShare: 0.02 };
    const [put, held] = [playSlot(due, deployed), playSlot(due, patient)];
    const none = playSlot({ ...due, hangingShare: 0 }, deployed);
    expect(held.healthy99).toBeGreaterThan(2 * put.healthy99);
    expect(put.healthy99).toBeLessThan(3 * none.healthy99);
    expect(put.putOff).toBeGreaterThan(0);
    expect(put.ended).toBeLessThan(15 * 60);
  });
});
