import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toSiteItem } from '#accounts/merchants/site/site-row.ts';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { createSender, type Sender } from '#core/platform/post/sender.ts';
import { putItem } from '#core/platform/table/table.ts';
import { deliveryBatch } from '#messaging/webhooks/attempt/delivery-batch-flow.ts';
import { hangingAfter, putOffFor } from '#messaging/webhooks/attempt/hanging-sites.ts';
import { createDelivery, deliveryIdOf } from '#messaging/webhooks/delivery/delivery.ts';
import { toDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { getDelivery } from '#messaging/webhooks/delivery/delivery-store.ts';
import { type Behaviour, type Receiver, respond, startReceiver } from '#test/support/hostile-receiver.ts';
import { useTable } from '#test/support/table.ts';
import { alertSite, clockAt, fakeQueues } from './support.ts';

/** A site whose endpoint hangs at a slot of the sweep delays no other site. */

const noon = '2026-05-02T12:00:00.000Z';
const after = (time: number): string => iso(Date.parse(noon) + time);
const { second, minute, hour } = milliseconds;

describe('a delivery of a site that hung', () => {
  const hanging = hangingAfter(7, noon, after(16 * second));
  const message = { deliveryId: 'ntf_1', slot: noon };

  it('waits for half a minute at least, and never past ten minutes after its slot', () => {
    const delays = Array.from({ length: 200 }, (_, n) => {
      const known = hangingAfter(7, noon, after(n * 3 * second));
      const at = after(n * 3 * second + second);
      const delay = putOffFor({ ...message, deliveryId: `ntf_${n}` }, known, at);
      if (delay === undefined) return undefined;
      expect(delay).toBeGreaterThanOrEqual(30);
      expect(Date.parse(at) + delay * second).toBeLessThanOrEqual(Date.parse(after(10 * minute)));
      return delay;
    });
    expect(delays.slice(0, 90)).not.toContain(undefined);
    expect(new Set(delays).size).toBeGreaterThan(50);
    expect(delays.at(-1)).toBeUndefined();
  });

  it('waits at the same slot alone, and until the site is tried again', () => {
    expect(putOffFor(message, undefined, after(20 * second))).toBeUndefined();
    expect(putOffFor(message, hanging, after(20 * second))).toBeDefined();
    // As the sweep writes what has been pending for longer.
    expect(putOffFor({ ...message, slot: '2026-05-02T12:00:00Z' }, hanging, after(20 * second))).toBeDefined();
    expect(putOffFor({ ...message, slot: after(12 * hour) }, hanging, after(20 * second))).toBeUndefined();
    expect(putOffFor(message, hanging, after(5 * minute))).toBeUndefined();
  });

  it('waits at no other time: a first attempt, or one after minutes, meets no crowd', () => {
    expect(hangingAfter(7, '2026-05-02T11:17:00.000Z', '2026-05-02T11:17:16.000Z')).toBeUndefined();
    expect(hangingAfter(7, '2026-05-02T13:00:00.000Z', '2026-05-02T13:00:16.000Z')).toBeUndefined();
    expect(hangingAfter(7, noon, after(11 * minute))).toBeUndefined();
  });
});

describe('a slot at which an endpoint hangs', () => {
  useTable();
  const queues = fakeQueues();
  const [silent, other] = [71, 72];
  let receiver: Receiver;
  let behave: Behaviour = respond(204);
  let sender: Sender;
  beforeAll(async () => {
    receiver = await startReceiver((socket, request) => behave(socket, request));
    sender = createSender({ allowLoopbackHttp: true, extraPorts: [], timeoutMilliseconds: 200 });
    for (const sid of [silent, other]) await putItem(toSiteItem(alertSite(sid, receiver.url)));
  });
  afterAll(async () => {
    await sender.close();
    await receiver[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    queues.sent.length = 0;
    queues.refuse(() => false);
  });

  const owed = async (sid: number, at = '2026-05-02T10:00:00.000Z') => {
    const id = deliveryIdOf(newTimedId());
    const about = {
      kind: 'status_update',
      mid: 1,
      rid: 2,
      alertId: null,
      contentType: 'text/plain',
      body: 'x',
    } as const;
    const delivery = createDelivery({ ...about, id, sid, at });
    await putItem(toDeliveryItem({ ...delivery, kind: 'new_alert', nextAttemptAt: noon }));
    return { deliveryId: id, slot: noon, sid };
  };
  type Message = Awaited<ReturnType<typeof owed>>;
  const run = async (...messages: Message[]): Promise<void> => {
    const make = deliveryBatch(
      messages.map(({ sid }) => sid),
      sender,
    );
    await Promise.all(messages.map(make));
  };
  const attemptsOf = async ({ deliveryId }: Message) => (await getDelivery(deliveryId))?.attempts.length;

  it('has the site’s others wait, attempts those of other sites, and then theirs', async () => {
    clockAt(after(second));
    const [first, second_, third, healthy] = [
      await owed(silent),
      await owed(silent),
      await owed(silent),
      await owed(other),
    ];
    behave = () => undefined;
    await run(first);
    expect(queues.sent).toEqual([]);
    behave = respond(204);
    clockAt(after(20 * second));
    await run(second_, third, healthy);
    const counts = () => Promise.all([first, second_, third, healthy].map(attemptsOf));
    expect(await counts()).toEqual([1, 0, 0, 1]);
    expect(queues.sent).toMatchObject([
      { queue: 'delivery', body: second_, delay: expect.any(Number) },
      { queue: 'delivery', body: third, delay: expect.any(Number) },
    ]);
    clockAt(after(6 * minute));
    await run(second_, third);
    expect(await counts()).toEqual([1, 1, 1, 1]);
  });
});
