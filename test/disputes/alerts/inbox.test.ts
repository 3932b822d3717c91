import { afterEach, describe, expect, it } from 'vitest';
import { milliseconds, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, type Item } from '#core/platform/table/table.ts';
import { handler as matchUnmatched } from '#disputes/alerts/jobs/match-unmatched/handler.ts';
import { matchUnmatchedWorker as worker } from '#disputes/alerts/jobs/match-unmatched/worker.ts';
import { dueMessage, messagesFor } from '#jobs/due-routing.ts';
import { handler as replay } from '#messaging/webhooks/api/replay/handler.ts';
import { newAlertDeliveryId } from '#messaging/webhooks/delivery/delivery.ts';
import { grantedActions, sqsEvent, watchTable } from '#test/messaging/support.ts';
import { call, gatewayEvent } from '#test/support/gateway-event.ts';
import { ask, useOperations } from '#test/support/operations.ts';
import { settings } from './samples.ts';
import { alertAt, deliveriesAt, fresh, noticesAt, seedSite, take } from './seed.ts';

useOperations();
afterEach(() => setClock());

const start = Date.parse('2026-05-02T10:00:00.000Z');
const actions = new Set<string>();

/** Enrolls a descriptor as an administrator does by hand; answers the request's number. */
const enroll = async (site: { sid: number; mid: number }, descriptor: string, match_type = 'Exact') => {
  const items = [{ provider: ['provider_a'], descriptor, match_type }];
  const asked = await ask('enrollments/create-enrollment', {
    as: { mid: site.mid },
    body: { sid: site.sid, enrollment_items: items },
  });
  const { enrollment_request_id: id } = asked.body as { enrollment_request_id: number };
  const body = { provider: 'provider_a', descriptor, status: 'ENROLLED', overlap: true };
  expect(await ask('enrollments/set-enrollment-item', { params: { id }, body })).toMatchObject({ status: 200 });
  return id;
};
const lookThrough = async (enrollmentId: number) => {
  const watch = watchTable();
  expect(await matchUnmatched(sqsEvent([{ enrollmentId }]))).toEqual({ batchItemFailures: [] });
  watch.stop();
  for (const action of watch.actions) actions.add(action);
};
const lost = async (merchantDescriptor: string) =>
  (await take('provider_a', { alertId: `I${fresh()}`, merchantDescriptor, arn: '', authCode: '' })).alert_id;

describe('an enrollment', () => {
  it('takes out of the inbox what is its own by the rules of intake, with the deadline that it always had', async () => {
    setClock(() => start);
    const site = await seedSite();
    const descriptor = `LATE ${site.sid}`;
    const [own, other] = [await lost(descriptor.toLowerCase()), await lost(`${descriptor} AND MORE`)];
    const now = start + 30 * milliseconds.hour;
    setClock(() => now);
    const id = await enroll(site, descriptor);
    const row = (await getItem(keys.inboxMatch(id))) as Item;
    const message = { queue: 'inbox', body: { enrollmentId: id } };
    expect(messagesFor({ before: undefined, after: row }, new Date(now).toISOString())).toEqual([
      { ...message, delaySeconds: 30 },
    ]);
    expect(dueMessage(row, new Date(now).toISOString())).toEqual(message);
    await lookThrough(id);
    const assigned = new Date(now).toISOString();
    expect(await alertAt(own)).toMatchObject({
      owner: { sid: site.sid, matchedDescriptor: descriptor },
      assignedAt: assigned,
      deadlineAt: '2026-05-03T10:00:00.000Z',
    });
    expect((await noticesAt(own)).delivery).toMatchObject({ state: 'PENDING', createdAt: assigned });
    expect(await alertAt(other)).toMatchObject({ owner: null });
    expect(await getItem(keys.inboxMatch(id))).toBeUndefined();
    await lookThrough(id);
    expect(await deliveriesAt(own)).toHaveLength(1);
  });

  it('leaves what two merchants claim equally, and what is older than 30 days', async () => {
    setClock(() => start);
    const [one, two] = [await seedSite(), await seedSite()];
    const [old, both] = [await lost(`OLD ${one.sid}`), `BOTH ${one.sid}`];
    setClock(() => start + 31 * milliseconds.day);
    const contested = await lost(both);
    await enroll(one, both);
    for (const id of [await enroll(two, both), await enroll(two, `OLD ${one.sid}`)]) await lookThrough(id);
    expect(await alertAt(contested)).toMatchObject({ owner: null });
    expect(await alertAt(old)).toMatchObject({ owner: null });
  });
});

it('an alert whose site has no URL for it has a notification that can be replayed once there is one', async () => {
  const site = await seedSite({ alert: settings({ alertapiurl: null }) });
  const id = await enroll(site, `MUTE ${site.sid}`);
  await lookThrough(id);
  const alertId = await lost(`MUTE ${site.sid}`);
  expect((await noticesAt(alertId)).delivery).toMatchObject({
    state: 'CANCELLED',
    nextAttemptAt: null,
    attempts: [],
  });
  const event = gatewayEvent({
    authorizer: { scope: 'merchant', subject: 'm', mid: String(site.mid), freshUntil: '2999-01-01T00:00:00.000Z' },
    pathParameters: { id: newAlertDeliveryId(alertId) },
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect((await call(replay, event)).status).toBe(200);
  expect((await noticesAt(alertId)).delivery?.manualSlot).not.toBeNull();
});

it('needs just what it is granted', () => expect(actions).toEqual(grantedActions(worker.grants)));
