import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Sender } from '#core/platform/post/sender.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, type Item, putItem } from '#core/platform/table/table.ts';
import { handler as route } from '#jobs/router/handler.ts';
import { handler as sweep } from '#jobs/sweep/handler.ts';
import { makeAttempt } from '#messaging/webhooks/attempt/attempt-store.ts';
import { createDelivery, type Delivery } from '#messaging/webhooks/delivery/delivery.ts';
import { findExpiry, graceMilliseconds, nextSlot } from '#messaging/webhooks/delivery/delivery-policy.ts';
import { fromDeliveryItem, toDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { useTable } from '#test/support/table.ts';
import { alertSite, clockAt, fakeQueues, sqsEvent, streamRecord } from './support.ts';

/**
 * The whole engine in a world that goes wrong: router, sweep and deliver run as they are, against the table; stream,
 * queues, clock and the merchant's endpoint are played. Everything follows from a seed.
 */
useTable();
const queues = fakeQueues();
const site = alertSite(1, 'https://merchant.example/hook');
const [second, minute, hour] = [1000, 60_000, 3_600_000];
const visibility = 360 * second;

/** The faults, as a chance from 0 to 1 each time; `failsOn`: the endpoint fails up to the last sweep too. */
type Trouble = { double: number; late: number; crash: number; missSweep: number; fail: number; failsOn: boolean };
type Post = { slot: string; at: number; id: string | undefined; succeeded: boolean };
type Message = { deliveryId: string; slot: string; visibleAt: number };

/** A linear congruential generator: Numerical Recipes' constants. */
const chances = (seed: number) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

class Crash extends Error {}

const send = DynamoDBDocumentClient.prototype.send;
afterEach(() => vi.restoreAllMocks());

/** Tells the writes of one item as the table's stream would. */
const streamOver = (pk: string): DynamoDBRecord[] => {
  const records: DynamoDBRecord[] = [];
  let before: Item | undefined;
  vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(async function (
    this: unknown,
    ...given: unknown[]
  ) {
    const command = given[0] as { constructor: { name: string }; input: { Item?: Item; Key?: Item } };
    const answer = await Reflect.apply(send, this, given);
    if (!/^(Put|Update)/.test(command.constructor.name) || (command.input.Item ?? command.input.Key)?.['pk'] !== pk)
      return answer;
    const after: Item = command.input.Item ?? answer.Attributes;
    records.push(streamRecord(before, after, records.length + 1));
    before = after;
    return answer;
  });
  return records;
};

let count = 0;

/** Lives through a delivery's days; answers every POST that reached the merchant and the delivery in the end. */
const live = async (
  createdAt: string,
  seed: number,
  trouble: Trouble,
): Promise<{ posts: Post[]; crashes: string[]; end: Delivery; row: Item }> => {
  const random = chances(seed);
  const happens = (chance: number) => random() < chance;
  const posts: Post[] = [];
  const crashes: string[] = [];
  const bag: Message[] = [];
  let now = Date.parse(createdAt);
  const moveTo = (time: number) => {
    now = Math.max(now, time);
    clockAt(new Date(now).toISOString());
  };
  moveTo(now);

  count += 1;
  const id = `ntf_${seed}_${count}`;
  const key = keys.delivery(id);
  const records = streamOver(key.pk);
  await putItem(
    toDeliveryItem(
      createDelivery({
        id,
        kind: 'new_alert',
        sid: 1,
        mid: 1,
        rid: 2,
        alertId: 1,
        contentType: '',
        body: 'b',
        at: createdAt,
      }),
    ),
  );

  const collect = () => {
    for (const { deliveryId, slot } of queues.take('delivery')) {
      if (deliveryId !== id) continue;
      const copies = happens(trouble.double) ? 2 : 1;
      for (let copy = 0; copy < copies; copy += 1) {
        const delay = happens(trouble.late) ? random() * 14 * hour : random() * 2 * second;
        bag.push({ deliveryId: String(deliveryId), slot: String(slot), visibleAt: now + delay });
      }
    }
  };
  const routeAll = async () => {
    while (records.length > 0) {
      const batch = records.splice(0, 3);
      await route({ Records: batch });
      if (happens(trouble.double)) await route({ Records: batch });
    }
    collect();
  };
  const lastSlot = Date.parse(createdAt) + 96 * hour;
  const mendedAt = Date.parse(findExpiry('new_alert', createdAt)) - 24 * hour;
  // The world recovers while there is time: no sweep of the last day is missed, and an endpoint that recovers answers from then
  // on.
  const isMended = (time: number) => time > mendedAt;
  const senderFor = (slot: string): Pick<Sender, 'post'> => ({
    post: async ({ headers }) => {
      const crashesBefore = happens(trouble.crash / 2);
      const succeeded = !happens(trouble.fail) || (isMended(now) && !trouble.failsOn);
      if (!crashesBefore) posts.push({ slot, at: now, id: headers['webhook-id'], succeeded });
      if (crashesBefore || happens(trouble.crash / 2)) {
        crashes.push(slot);
        throw new Crash();
      }
      return {
        status: succeeded ? 200 : 500,
        error: null,
        response: '',
        responseTruncated: false,
        latencyMilliseconds: 1,
      };
    },
  });
  const deliverOne = async (message: Message) => {
    try {
      await makeAttempt(message, site, senderFor(message.slot));
    } catch (error) {
      if (!(error instanceof Crash) && (error as Error).name !== 'AttemptInProgressError') throw error;
      bag.push({ ...message, visibleAt: now + visibility });
    }
  };
  /** Does what is there to do up to a time, in the order in which messages become visible. */
  const runUntil = async (time: number) => {
    await routeAll();
    for (;;) {
      bag.sort((left, right) => left.visibleAt - right.visibleAt);
      if (!bag[0] || bag[0].visibleAt > time) break;
      const [message] = bag.splice(0, 1);
      if (!message) break;
      moveTo(message.visibleAt);
      await deliverOne(message);
      await routeAll();
    }
    moveTo(time);
  };
  const sweepAt = async (slot: string) => {
    for (
      let messages: unknown[] = [{ slot: slot.replace('.000Z', 'Z') }];
      messages.length > 0;
      messages = queues.take('sweep')
    ) {
      expect(await sweep(sqsEvent(messages))).toEqual({ batchItemFailures: [] });
    }
    collect();
  };

  const sweepable = { kind: 'new_alert', createdAt, expiresAt: new Date(lastSlot).toISOString() } as const;
  for (let slot = nextSlot(sweepable, createdAt); slot !== null; slot = nextSlot(sweepable, slot)) {
    await runUntil(Date.parse(slot));
    if (isMended(Date.parse(slot)) || !happens(trouble.missSweep)) await sweepAt(slot);
    if (happens(trouble.double)) await sweepAt(slot);
  }
  await runUntil(lastSlot + 15 * hour);
  const row = (await getItem(key)) ?? {};
  return { posts, crashes, end: fromDeliveryItem(row), row };
};

const anyTime = fc.date({
  min: new Date('2026-01-01T00:00:00Z'),
  max: new Date('2026-12-31T00:00:00Z'),
  noInvalidDate: true,
});
const nearSlot = fc
  .tuple(fc.constantFrom('2026-05-02T00:00:00.000Z', '2026-05-02T12:00:00.000Z'), fc.integer({ min: -3000, max: 3000 }))
  .map(([slot, offset]) => new Date(Date.parse(slot) + offset));
const receipt = fc.oneof(anyTime, nearSlot).map((time) => time.toISOString());
const seed = fc.nat();
const calm: Trouble = { double: 0, late: 0, crash: 0, missSweep: 0, fail: 1, failsOn: true };
const quiet = () => vi.spyOn(process.stdout, 'write').mockReturnValue(true);

describe('the engine', () => {
  it('makes seven attempts at an endpoint that stays down: at once and at six slots', async () => {
    await fc.assert(
      fc.asyncProperty(receipt, seed, async (createdAt, one) => {
        quiet();
        const { posts, end } = await live(createdAt, one, calm);
        vi.restoreAllMocks();
        const expected = [createdAt];
        const scheduled = { kind: 'new_alert', createdAt, expiresAt: findExpiry('new_alert', createdAt) } as const;
        for (let slot = nextSlot(scheduled, createdAt); slot !== null; slot = nextSlot(scheduled, slot))
          expected.push(slot);
        expect(expected).toHaveLength(7);
        expect(posts.map(({ slot }) => slot)).toEqual(expected);
        expect(end.state).toBe('EXPIRED');
      }),
      { numRuns: 8 },
    );
  });

  it('posts once per slot though everything is doubled, late, out of order, cut off or missed', async () => {
    await fc.assert(
      fc.asyncProperty(receipt, seed, async (createdAt, one) => {
        quiet();
        const { posts, crashes, end, row } = await live(createdAt, one, {
          double: 0.4,
          late: 0.2,
          crash: 0.2,
          missSweep: 0.3,
          fail: 0.9,
          failsOn: true,
        });
        vi.restoreAllMocks();
        const of = <T>(list: readonly T[], slot: string, slotOf: (entry: T) => string) =>
          list.filter((entry) => slotOf(entry) === slot).length;
        for (const { slot } of posts) {
          // Only an attempt that a crash cut off is repeated.
          expect(of(posts, slot, (post) => post.slot)).toBeLessThanOrEqual(1 + of(crashes, slot, (crash) => crash));
        }
        const tooLate = Date.parse(findExpiry('new_alert', createdAt)) + graceMilliseconds;
        expect(posts.filter(({ at }) => at > tooLate)).toEqual([]);
        expect(new Set(posts.map(({ id }) => id)).size).toBeLessThanOrEqual(1);
        expect(['DELIVERED', 'EXPIRED']).toContain(end.state);
        expect(row).not.toHaveProperty('duePk');
        expect(end.attempts.every(({ error }, index) => error !== null || index === end.attempts.length - 1)).toBe(
          true,
        );
      }),
      { numRuns: 16 },
    );
  });

  it('eventually delivers to an endpoint that is up, whatever else fails', async () => {
    await fc.assert(
      fc.asyncProperty(receipt, seed, async (createdAt, one) => {
        quiet();
        const { posts, end } = await live(createdAt, one, {
          double: 0.4,
          late: 0,
          crash: 0.3,
          missSweep: 0.3,
          fail: 0.3,
          failsOn: false,
        });
        vi.restoreAllMocks();
        expect(end.state).toBe('DELIVERED');
        expect(posts.at(-1)?.succeeded).toBe(true);
        expect(end.attempts.filter(({ error }) => error === null)).toHaveLength(1);
      }),
      { numRuns: 10 },
    );
  });

  it('repeats an attempt that was cut off within minutes, not at the next slot', async () => {
    quiet();
    const createdAt = '2026-05-02T03:00:00.000Z';
    for (let one = 1; one < 6; one += 1) {
      const { posts } = await live(createdAt, one, { ...calm, crash: 0.5, fail: 0 });
      expect((posts.at(-1)?.at ?? 0) - Date.parse(createdAt)).toBeLessThan(30 * minute);
    }
    vi.restoreAllMocks();
  });
});
