import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { longestDelaySeconds } from '../../functions/notifications/delay.ts';
import { createDelivery, deliveryIdOf } from '../../functions/notifications/delivery.ts';
import { toDeliveryItem } from '../../functions/notifications/delivery-row.ts';
import { nextSlot } from '../../functions/notifications/policy.ts';
import { startStack, type TestStack } from '../support/stack.ts';

let service: TestStack;
beforeAll(async () => {
  service = await startStack({ startTime: '2026-05-02T09:00:00Z' });
});
afterAll(() => service.stop());
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
const detailsOf = async ({ id }: Posted): Promise<Details> => {
  const reply = await service.call(`/api/v3/notifications/${id}/details`, { token: await service.tokenOf('merchant') });
  return reply.body as Details;
};
/** The minutes after its creation at which a postback was attempted, each within two seconds of its slot. */
const triedAt = (posted: Posted, { attempts }: Details): number[] => {
  const late = attempts.map(({ at, slot }) => Date.parse(at) - Date.parse(slot));
  expect(Math.min(...late)).toBeGreaterThan(-1000);
  expect(Math.max(...late)).toBeLessThan(2000);
  return attempts.map(({ slot }) => minutesUntil(posted, slot));
};
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
    expect(await detailsOf(posted)).toMatchObject({ state: 'DELIVERED', attempts: { length: 1 } });
    expect(service.stack.queues.depth(deliveryQueue())).toEqual({ visible: 0, hidden: 0 });
  });

  it.each([1, 2, 3, 4, 5, 6])('of which %i attempts fail is delivered by the next, in time', async (times) => {
    service.sinks.answer('shop', { status: 503, times });
    const posted = await postBack();
    await service.clock.advance('PT5H');
    const details = await detailsOf(posted);
    expect(details.state).toBe('DELIVERED');
    expect(triedAt(posted, details)).toEqual([0, 1, 5, 10, 30, 90, 150].slice(0, times + 1));
    expect(service.sinks.got('shop')).toHaveLength(times + 1);
  });

  it('whose endpoint stays down is tried at 1, 5, 10 and 30 minutes and then hourly for 72 hours, and expires', async () => {
    service.sinks.answer('shop', { status: 500 });
    const sentBefore = service.stack.queues.sent();
    const started = performance.now();
    const posted = await postBack();
    await service.clock.advance('PT96H');
    console.log('took', performance.now() - started, 'sent', service.stack.queues.sent() - sentBefore);
    const expected = [posted.createdAt];
    for (let slot = nextSlot(posted, posted.createdAt); slot !== null; slot = nextSlot(posted, slot))
      expected.push(slot);
    const details = await detailsOf(posted);
    expect(service.sinks.got('shop').map(({ headers }) => headers['webhook-id'])).toEqual(
      expected.map(() => posted.id),
    );
    expect(details).toMatchObject({ state: 'EXPIRED', next_attempt_at: null });
  });
});

it('never complained', () => expect(service.problems).toEqual([]));
