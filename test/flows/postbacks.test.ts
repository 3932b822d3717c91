import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDelivery, deliveryIdOf } from '#messaging/webhooks/delivery/delivery.ts';
import { toDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { useStack } from '#test/support/stack.ts';

const service = await useStack({ startTime: '2026-05-02T09:00:00Z' });
beforeEach(() => service.sinks.clear('shop'));

let count = 0;

/** A postback as the transaction that causes it writes it; answers it once its first attempt has been made. */
const postBack = async () => {
  count += 1;
  const { mid, rid, sid } = service.credentials.site;
  const delivery = createDelivery({
    id: deliveryIdOf(count),
    kind: 'postback',
    sid,
    mid,
    rid,
    alertId: null,
    contentType: 'application/json',
    body: JSON.stringify({ txid: count }),
    postbackUrl: service.sinks.url('shop'),
    at: service.clock.now().toISOString(),
  });
  const TableName = process.env['TABLE_NAME'];
  await service.stack.tables.client.send(new PutItemCommand({ TableName, Item: marshall(toDeliveryItem(delivery)) }));
  await service.untilIdle();
  return delivery;
};
type Posted = Awaited<ReturnType<typeof postBack>>;

const minutesUntil = ({ createdAt }: Posted, time: string) => (Date.parse(time) - Date.parse(createdAt)) / 60_000;

type Details = { state: string; next_attempt_at: string | null; attempts: { at: string; slot: string }[] };
const readDetails = async ({ id }: Posted): Promise<Details> => {
  const reply = await service.call(`/api/v3/notifications/${id}/details`, { token: await service.tokenOf('merchant') });
  return reply.body as Details;
};
/** The minutes after its creation at which a postback was attempted, each in its minute however busy the machine is. */
const triedAt = (posted: Posted, { attempts }: Details): number[] => {
  const late = attempts.map(({ at, slot }) => Date.parse(at) - Date.parse(slot));
  expect(Math.min(...late)).toBeGreaterThan(-1000);
  expect(Math.max(...late)).toBeLessThan(30_000);
  return attempts.map(({ slot }) => minutesUntil(posted, slot));
};
const Batch = v.object({ Records: v.array(v.unknown()) });
/** Every message that a function of the area has been handed. */
const messagesTo = (name: string): unknown[] =>
  service.invocations
    .filter(({ function: { name: full } }) => full.endsWith(`-notifications-${name}`))
    .flatMap(({ event }) => v.parse(Batch, event).Records);
const deliveryQueue = () => {
  const queue = service.stack.queues.find('forewarn-dev-delivery');
  if (!queue) throw new Error('There is no delivery queue');
  return queue;
};

describe('a postback', () => {
  it('is taken at the first attempt where the endpoint is up, and then leaves no message behind', async () => {
    const posted = await postBack();
    const [request] = service.sinks.got('shop');
    expect(request).toMatchObject({ body: posted.body, headers: { 'webhook-id': posted.id } });
    expect(await readDetails(posted)).toMatchObject({ state: 'DELIVERED', attempts: { length: 1 } });
    expect(service.stack.queues.depth(deliveryQueue())).toEqual({ visible: 0, hidden: 0 });
  });

  it.each([1, 2, 3, 4, 5, 6])('of which %i attempts fail is delivered by the next, in time', async (times) => {
    service.sinks.answer('shop', { status: 503, times });
    const posted = await postBack();
    await service.clock.advance('PT5H');
    const details = await readDetails(posted);
    expect(details.state).toBe('DELIVERED');
    expect(triedAt(posted, details)).toEqual([0, 1, 5, 10, 30, 90, 150].slice(0, times + 1));
    expect(service.sinks.got('shop')).toHaveLength(times + 1);
  });

  it('whose endpoint stays down is tried at 1, 5, 10 and 30 minutes, then hourly, for 72 hours, and expires', {
    timeout: 120_000,
  }, async () => {
    service.sinks.answer('shop', { status: 500 });
    const heardBefore = messagesTo('deliver').length;
    const posted = await postBack();
    await service.clock.advance('PT96H');
    const minutes = [0, 1, 5, 10, 30, ...Array.from({ length: 71 }, (_, hours) => 90 + 60 * hours)];
    const posts = service.sinks.got('shop').map(({ time }) => Math.round(minutesUntil(posted, time)));
    expect(posts).toEqual(minutes);
    expect(new Set(service.sinks.got('shop').map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const details = await readDetails(posted);
    expect(details).toMatchObject({ state: 'EXPIRED', next_attempt_at: null });
    expect(triedAt(posted, details)).toEqual(minutes.slice(-details.attempts.length));
    // No chain of messages splits, breaks or outlives its slot.
    const hops = minutes.slice(1).map((minute, index) => Math.ceil((60 * (minute - (minutes[index] ?? 0))) / 600));
    expect(messagesTo('deliver').length - heardBefore).toBe(hops.reduce((sum, count) => sum + count, 1));
    expect(service.stack.queues.depth(deliveryQueue())).toEqual({ visible: 0, hidden: 0 });
  });

  it('is tried once per slot though its messages are doubled', async () => {
    service.sinks.answer('shop', { status: 500, times: 4 });
    const posted = await postBack();
    const { next_attempt_at: slot } = await readDetails(posted);
    const body = JSON.stringify({ deliveryId: posted.id, slot, sid: posted.sid });
    for (const delaySeconds of [0, 7, 60]) service.stack.queues.send(deliveryQueue(), { body, delaySeconds });
    await service.clock.advance('PT3H');
    expect(triedAt(posted, await readDetails(posted))).toEqual([0, 1, 5, 10, 30]);
    expect(service.sinks.got('shop')).toHaveLength(5);
  });

  it('whose message was lost is caught up by the next sweep, and goes on in time from there', async () => {
    service.sinks.answer('shop', { status: 500, times: 3 });
    const posted = await postBack();
    service.stack.queues.purge(deliveryQueue());
    await service.clock.advance('PT16H');
    const details = await readDetails(posted);
    const [first = 0, swept = 0, ...later] = triedAt(posted, details);
    const sweptAt = Date.parse(posted.createdAt) + swept * 60_000;
    expect([first, sweptAt % 43_200_000]).toEqual([0, 0]);
    const hourly = 30 + 60 * Math.ceil((swept - 30) / 60);
    expect(later).toEqual([hourly, hourly + 60]);
    expect(details.state).toBe('DELIVERED');
  });

  it('is tried in time by a service that was restarted meanwhile', async () => {
    service.sinks.answer('shop', { status: 500, times: 4 });
    const posted = await postBack();
    for (const pause of ['PT3M', 'PT4M', 'PT13M']) {
      await service.clock.advance(pause);
      await service.restart();
    }
    await service.clock.advance('PT1H');
    expect(triedAt(posted, await readDetails(posted))).toEqual([0, 1, 5, 10, 30]);
  });

  it('keeps its times through a replay that fails', async () => {
    service.sinks.answer('shop', { status: 500, times: 3 });
    const posted = await postBack();
    await service.clock.advance('PT2M');
    const path = `/api/v3/notifications/${posted.id}/replay`;
    expect((await service.call(path, { token: await service.tokenOf('merchant'), body: {} })).status).toBe(200);
    await service.clock.advance('PT2H');
    const details = await readDetails(posted);
    expect(details.state).toBe('DELIVERED');
    expect(details.attempts.map(({ slot }) => Math.round(minutesUntil(posted, slot)))).toEqual([0, 1, 2, 5]);
  });
});

it('never complained', () => expect(service.problems).toEqual([]));
