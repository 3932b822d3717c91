import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Webhook } from 'standardwebhooks';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { toSiteItem } from '#accounts/merchants/site/site-row.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { fromMailItem } from '#core/platform/mail/mail-row.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, transact } from '#core/platform/table/table.ts';
import { createAlert } from '#disputes/alerts/alert.ts';
import { fromAlertItem, toAlertItem } from '#disputes/alerts/alert-row.ts';
import { changedHoldWrite, newHoldWrite } from '#disputes/alerts/hold-row.ts';
import { blankProviderAlert } from '#disputes/providers/provider-alert.ts';
import {
  createDelivery,
  type Delivery,
  deliveryIdOf,
  newAlertDeliveryId,
} from '#messaging/webhooks/delivery/delivery.ts';
import { cancelWrite, fromDeliveryItem, toDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { acquireLease, getDelivery, requestReplay } from '#messaging/webhooks/delivery/delivery-store.ts';
import { handler } from '#messaging/webhooks/jobs/deliver/handler.ts';
import { deliverWorker } from '#messaging/webhooks/jobs/deliver/worker.ts';
import { type Behaviour, respond, startReceiver } from '#test/support/hostile-receiver.ts';
import { letterText } from '#test/support/letters.ts';
import { useTable } from '#test/support/table.ts';
import { useServer } from '#test/support/use-server.ts';
import {
  alertSite,
  clockAt,
  fakeQueues,
  grantedActions,
  olderSigningSecret,
  signingSecret,
  sqsEvent,
  token,
  watchTable,
  withOlderSecret,
} from './support.ts';

useTable();

const createdAt = '2026-05-02T10:00:00.000Z';
const noon = '2026-05-02T12:00:00.000Z';
const midnight = '2026-05-03T00:00:00.000Z';
const site = { plain: 1, rotating: 2, silent: 3, closed: 4, json: 6 };
const actions = new Set<string>();
const queues = fakeQueues();

let behave: Behaviour = respond(204);
const receiver = await useServer(startReceiver((socket, request) => behave(socket, request)));
beforeAll(async () => {
  await putItem(toSiteItem(alertSite(site.plain, receiver.url)));
  await putItem(toSiteItem(withOlderSecret(alertSite(site.rotating, receiver.url), noon)));
  await putItem(toSiteItem(alertSite(site.silent, null)));
  await putItem(toSiteItem(alertSite(site.json, receiver.url, { body_format: 'json' })));
  await putItem(toSiteItem(alertSite(site.closed, 'http://127.0.0.1:1/', { token: null })));
});
beforeEach(() => {
  behave = respond(204);
  clockAt(createdAt);
  queues.sent.length = 0;
  queues.refuse(() => false);
});

/** Returns the log lines of some work. */
const logLines = async (act: () => Promise<void>): Promise<unknown[]> => {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((line) => Boolean(lines.push(String(line))));
  await act().finally(() => spy.mockRestore());
  return lines.map((line) => JSON.parse(line));
};

const store = async (change: Partial<Delivery> = {}): Promise<Delivery> => {
  const delivery = createDelivery({
    id: deliveryIdOf(newTimedId()),
    kind: 'status_update',
    sid: site.plain,
    mid: 1,
    rid: 2,
    alertId: null,
    contentType: 'application/x-www-form-urlencoded',
    body: 'action=statusupdate&alert_id=7',
    at: createdAt,
  });
  const stored = { ...delivery, kind: 'new_alert', ...change } as Delivery;
  await putItem(toDeliveryItem(stored));
  return stored;
};
const toMessage = ({ id, sid }: Delivery, slot: string) => ({ deliveryId: id, slot, sid });
/** The messages of one batch that come again. */
const run = async (...messages: unknown[]) => {
  const watch = watchTable();
  const { batchItemFailures } = await handler(sqsEvent(messages));
  watch.stop();
  for (const action of watch.actions) actions.add(action);
  return { again: batchItemFailures.map(({ itemIdentifier }) => itemIdentifier), watch };
};
const findPosts = ({ id }: Pick<Delivery, 'id'>) =>
  receiver.requests.filter(({ headers }) => headers['webhook-id'] === id);
const now = async ({ id }: Pick<Delivery, 'id'>) => {
  const delivery = await getDelivery(id);
  if (!delivery) throw new Error(`${id} is gone`);
  return delivery;
};

describe('a status update', () => {
  const alertId = 4711;
  const both = async (change: Partial<Delivery> = {}) => {
    const first = await store({ id: newAlertDeliveryId(alertId), alertId, ...change });
    const update = await store({ kind: 'status_update', alertId });
    const message = { ...toMessage(update, createdAt), behind: first.id };
    return { first, update, message };
  };

  it("waits for the first attempt of its alert's notification, whatever its result", async () => {
    const { first, update, message } = await both();
    expect((await run(message)).again).toEqual([]);
    expect((await now(update)).attempts).toEqual([]);
    expect(queues.sent).toMatchObject([{ queue: 'delivery', body: message, delay: 5 }]);
    behave = respond(500);
    await run(toMessage(first, createdAt));
    behave = respond(204);
    await run(message);
    expect((await now(update)).attempts).toHaveLength(1);
  });

  it('waits neither for one that is cancelled, nor for one that is not there, nor for ever', async () => {
    for (const change of [
      { state: 'CANCELLED', nextAttemptAt: null },
      { createdAt: '2026-05-02T09:44:00.000Z' },
    ] as const) {
      const { update, message } = await both(change);
      await run(message);
      expect((await now(update)).attempts).toHaveLength(1);
    }
    const { update, message } = await both();
    await run({ ...message, behind: 'ntf_99' });
    expect((await now(update)).attempts).toHaveLength(1);
  });
});

describe('an attempt', () => {
  it('names the payment that is held for a new alert by then', async () => {
    const alertId = newTimedId();
    const body = 'alert_id=7&held_txid=';
    const [waiting, json] = [await store({ alertId, body }), await store({ alertId, body, sid: site.json })];
    behave = respond(500);
    await run(toMessage(waiting, createdAt));
    await transact({ row: newHoldWrite(alertId, createdAt) });
    await run(toMessage(json, createdAt));
    const hold = { alertId, since: createdAt, txid: null, txids: [], version: 1 };
    await transact({ row: changedHoldWrite(hold, { ...hold, txid: 71 }, createdAt) });
    clockAt(noon);
    for (const delivery of [waiting, json]) await run(toMessage(delivery, noon));
    expect(findPosts(waiting).map((post) => post.body)).toEqual([body, `${body}71`]);
    expect(findPosts(json).map((post) => post.body)).toEqual([
      '{"alert_id":"7","held_txid":""}',
      '{"alert_id":"7","held_txid":"71"}',
    ]);
  });

  it('posts the body as it is, with the headers the interface names, signed and authorised', async () => {
    const delivery = await store();
    await run(toMessage(delivery, createdAt));
    const [post] = findPosts(delivery);
    expect(post).toMatchObject({
      method: 'POST',
      body: delivery.body,
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Bearer ${token}`,
        'webhook-id': delivery.id,
        'webhook-timestamp': String(Date.parse(createdAt) / 1000),
      },
    });
    const key = Buffer.from(signingSecret.slice('whsec_'.length), 'base64');
    const signed = `${delivery.id}.${Date.parse(createdAt) / 1000}.${delivery.body}`;
    expect(post?.headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  });

  it('is signed with both secrets while one is being rotated', async () => {
    const delivery = await store({ sid: site.rotating, contentType: 'application/json', body: '{"action":"test"}' });
    clockAt('2026-05-02T10:00:01.000Z');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(createdAt) });
    await run(toMessage(delivery, createdAt));
    const [post] = findPosts(delivery);
    for (const secret of [signingSecret, olderSigningSecret]) {
      expect(new Webhook(secret).verify(post?.body ?? '', post?.headers ?? {})).toEqual({ action: 'test' });
    }
    vi.useRealTimers();
  });

  it('that succeeds costs two writes and records the result', async () => {
    behave = respond(200, 'thanks');
    const delivery = await store();
    const { again, watch } = await run(toMessage(delivery, createdAt));
    expect(again).toEqual([]);
    expect(watch.writes()).toEqual(['UpdateCommand', 'PutCommand']);
    expect(watch.calls.filter((name) => name === 'BatchGetCommand')).toHaveLength(1);
    expect(await now(delivery)).toMatchObject({
      state: 'DELIVERED',
      nextAttemptAt: null,
      lease: null,
      attempts: [{ at: createdAt, slot: createdAt, status: 200, error: null, response: 'thanks', url: receiver.url }],
    });
    expect(await getItem(keys.delivery(delivery.id))).not.toHaveProperty('duePk');
  });

  it.each([
    [respond(500, 'no'), 500, 'http_status'],
    [respond(410), 410, 'http_status'],
    [respond(302, '', { location: 'https://elsewhere.example/' }), 302, 'redirect'],
  ] as const)('that fails is business, not an error, and owes the next slot (%#)', async (behaviour, status, error) => {
    behave = behaviour;
    const delivery = await store();
    expect((await run(toMessage(delivery, createdAt))).again).toEqual([]);
    expect(await now(delivery)).toMatchObject({ state: 'PENDING', nextAttemptAt: noon, attempts: [{ status, error }] });
    expect(await getItem(keys.delivery(delivery.id))).toMatchObject({ dueSk: `${noon}#DELIVERY#${delivery.id}` });
  });

  it('fails if the site’s endpoint is closed or missing', async () => {
    const closed = await store({ sid: site.closed });
    const silent = await store({ sid: site.silent });
    await run(toMessage(closed, createdAt), toMessage(silent, createdAt));
    expect((await now(closed)).attempts).toMatchObject([{ status: null, error: 'connect', response: '' }]);
    expect((await now(silent)).attempts).toMatchObject([{ status: null, error: 'no_url', url: null }]);
  });

  it('keeps no card number or secret that an endpoint echoes', async () => {
    behave = (socket, request) => respond(200, `${request.headers['authorization']} 4111111111111111`)(socket, request);
    const delivery = await store();
    await run(toMessage(delivery, createdAt));
    expect((await now(delivery)).attempts[0]?.response).toBe('[redacted] 411111******1111');
  });

  it('leaves out the Authorization header when the site has set no token', async () => {
    await putItem(toSiteItem(alertSite(5, receiver.url, { token: null })));
    const delivery = await store({ sid: 5 });
    await run(toMessage(delivery, createdAt));
    expect(findPosts(delivery)[0]?.headers).not.toHaveProperty('authorization');
  });

  it('carries the username as user of Basic authentication then', async () => {
    await putItem(toSiteItem(alertSite(5, receiver.url, { token: null, username: 'shop-1' })));
    await putItem(toSiteItem(alertSite(7, receiver.url, { username: 'shop-1' })));
    const [basic, bearer] = [await store({ sid: 5 }), await store({ sid: 7 })];
    await run(toMessage(basic, createdAt), toMessage(bearer, createdAt));
    const user = Buffer.from('shop-1:').toString('base64');
    expect(findPosts(basic)[0]?.headers['authorization']).toBe(`Basic ${user}`);
    expect(findPosts(bearer)[0]?.headers['authorization']).toBe(`Bearer ${token}`);
  });

  it('goes to the URL of its kind that the site has now, a postback to its own', async () => {
    const [status, updates] = [`${receiver.url}/status`, `${receiver.url}/enrollments`];
    await putItem(toSiteItem(alertSite(6, receiver.url, { statusupdate_url: status, enrollment_url: updates })));
    const kinds = ['new_alert', 'alert_deadline', 'status_update', 'enrollment_update', 'postback'] as const;
    const stored = await Promise.all(
      kinds.map((kind) => store({ kind, sid: 6, postbackUrl: `${receiver.url}/postback` })),
    );
    await run(...stored.map((delivery) => toMessage(delivery, createdAt)));
    expect(stored.map((delivery) => findPosts(delivery)[0]?.path)).toEqual([
      '/hook',
      '/hook',
      '/hook/status',
      '/hook/enrollments',
      '/hook/postback',
    ]);
  });

  it('of a broken message is redelivered and does not block the others', async () => {
    const delivery = await store();
    expect((await run({ nonsense: true }, 'no json', toMessage(delivery, createdAt))).again).toEqual([
      'message-0',
      'message-1',
    ]);
    expect((await now(delivery)).state).toBe('DELIVERED');
  });

  it('of ten is made side by side, after one read of their sites', async () => {
    const held: (() => void)[] = [];
    behave = (socket, request) => {
      held.push(() => respond(204)(socket, request));
      if (held.length === 10) for (const release of held) release();
    };
    const deliveries = await Promise.all(Array.from({ length: 10 }, () => store()));
    const { watch } = await run(...deliveries.map((delivery) => toMessage(delivery, createdAt)));
    expect(held).toHaveLength(10);
    expect(watch.calls.filter((name) => name === 'BatchGetCommand')).toHaveLength(1);
  });
});

describe('one POST per slot', () => {
  it('however often its message comes, side by side or later', async () => {
    const delivery = await store();
    const message = toMessage(delivery, createdAt);
    behave = respond(500);
    await Promise.all([run(message, message), run(message), run(message, message)]);
    await run(message);
    expect(findPosts(delivery)).toHaveLength(1);
  });

  it('however late or out of order', async () => {
    const delivery = await store();
    behave = respond(500);
    const slots = [createdAt, noon, midnight, '2026-05-03T12:00:00.000Z'];
    clockAt('2026-05-03T12:00:00.000Z');
    for (const slot of [...slots, ...slots.toReversed(), ...slots]) await run(toMessage(delivery, slot));
    expect((await now(delivery)).attempts.map(({ slot }) => slot)).toEqual(slots);
    expect(findPosts(delivery)).toHaveLength(4);
  });

  it('does nothing for a slot before the due one', async () => {
    const delivery = await store({ nextAttemptAt: noon });
    await run(toMessage(delivery, createdAt));
    expect(findPosts(delivery)).toHaveLength(0);
  });

  it('and one for all the slots that sweeps have missed', async () => {
    const delivery = await store({ nextAttemptAt: noon });
    behave = respond(500);
    clockAt('2026-05-03T12:00:00.000Z');
    for (const slot of ['2026-05-03T12:00:00.000Z', midnight, noon]) await run(toMessage(delivery, slot));
    expect((await now(delivery)).attempts.map(({ slot }) => slot)).toEqual(['2026-05-03T12:00:00.000Z']);
  });
});

describe('an attempt that a crash cuts off', () => {
  const leaseOver = '2026-05-02T10:01:16.000Z';

  it('keeps its message coming while its lease is live, and is then repeated with the same webhook-id', async () => {
    const delivery = await store();
    await acquireLease(delivery.id, createdAt, 'the attempt that crashes');
    clockAt('2026-05-02T10:01:00.000Z');
    const lines = await logLines(async () =>
      expect((await run(toMessage(delivery, createdAt))).again).toEqual(['message-0']),
    );
    // Nothing failed, so nothing is logged at a level that alerts a person.
    expect(lines).toMatchObject([
      { level: 'info', event: 'message_comes_again', error: { name: 'AttemptInProgressError' } },
    ]);
    expect(findPosts(delivery)).toHaveLength(0);
    clockAt(leaseOver);
    expect((await run(toMessage(delivery, createdAt))).again).toEqual([]);
    expect(findPosts(delivery)).toHaveLength(1);
    expect(await now(delivery)).toMatchObject({ state: 'DELIVERED', attempts: [{ slot: createdAt }] });
  });

  it('holds up the next slot no longer than its lease', async () => {
    const delivery = await store();
    clockAt('2026-05-02T11:59:50.000Z');
    await acquireLease(delivery.id, createdAt, 'the attempt that crashes');
    clockAt(noon);
    expect((await run(toMessage(delivery, noon))).again).toEqual(['message-0']);
    clockAt('2026-05-02T12:01:30.000Z');
    await run(toMessage(delivery, noon));
    expect(findPosts(delivery)).toHaveLength(1);
  });

  it('cannot write over the attempt that came after it', async () => {
    const delivery = await store();
    let overtaken = false;
    behave = (socket, request) => {
      if (overtaken) respond(204)(socket, request);
      else {
        overtaken = true;
        clockAt(leaseOver);
        void run(toMessage(delivery, createdAt)).then(() => respond(500)(socket, request));
      }
    };
    await run(toMessage(delivery, createdAt));
    expect(await now(delivery)).toMatchObject({ state: 'DELIVERED', attempts: [{ status: 204 }] });
  });
});

describe('what does not arrive is reported to the merchant by e-mail', () => {
  const mailOf = async (trouble: string, sid: number, at: string) => {
    const item = await getItem(keys.mail(`eml_${trouble}_${sid}_${Math.floor(Date.parse(at) / 43_200_000)}`));
    return item && fromMailItem(item);
  };
  const slots = [createdAt, noon, midnight, '2026-05-03T12:00:00.000Z'];
  const failing = async (sid: number, times: number, change: Partial<Delivery> = {}) => {
    behave = respond(503);
    const delivery = await store({ sid, ...change });
    for (const slot of slots.slice(0, times)) {
      clockAt(slot);
      await run(toMessage(delivery, slot));
    }
    return delivery;
  };
  const addressed = (sid: number) =>
    putItem(toSiteItem(alertSite(sid, `${receiver.url}?key=k-e-y`, { alert_email: ['dev@merchant.example'] })));

  it('after the third failed slot, once for a site and half a day', async () => {
    await addressed(21);
    const delivery = await failing(21, 2);
    expect(await mailOf('failing', 21, midnight)).toBeUndefined();
    await failing(21, 3);
    const mail = await mailOf('failing', 21, midnight);
    expect(mail).toMatchObject({ state: 'PENDING', sid: 21, to: ['dev@merchant.example'] });
    const { text, html } = letterText(mail?.letter);
    for (const part of [text, html]) {
      expect(part).toContain('the endpoint answered 503');
      expect(part).toContain('3 May 2026, 12:00 UTC');
      expect(part).not.toContain('k-e-y');
    }
    expect(letterText(mail?.letter, 'Europe/Berlin').text).toContain('3 May 2026, 14:00 CEST');
    const before = mail?.letter;
    await run(toMessage(delivery, midnight));
    expect((await mailOf('failing', 21, midnight))?.letter).toEqual(before);
    expect((await now(delivery)).attempts).toHaveLength(3);
  });

  it('when its time is over, by a last attempt or without one', async () => {
    await addressed(22);
    await failing(22, 1, { expiresAt: createdAt });
    expect(letterText((await mailOf('expired', 22, createdAt))?.letter).text).toContain('replay-failed');
    await addressed(23);
    const held = await store({ sid: 23 });
    const late = '2026-05-06T12:00:00.000Z';
    clockAt(late);
    await run(toMessage(held, late));
    expect((await now(held)).state).toBe('EXPIRED');
    expect(letterText((await mailOf('expired', 23, late))?.letter).text).toContain('no attempt could be made');
  });

  it("not where no address is named, nor for a person's replay of an expired one", async () => {
    await failing(site.plain, 3);
    expect(await mailOf('failing', site.plain, midnight)).toBeUndefined();
    await addressed(24);
    const old = await store({ sid: 24, state: 'EXPIRED', nextAttemptAt: null, manualSlot: createdAt });
    await run(toMessage(old, createdAt));
    expect((await now(old)).attempts).toHaveLength(1);
    expect(await mailOf('expired', 24, createdAt)).toBeUndefined();
  });
});

describe('after 72 hours', () => {
  const last = '2026-05-05T00:00:00.000Z';

  it('nothing is sent: what is still pending expires', async () => {
    const delivery = await store({ nextAttemptAt: last });
    clockAt('2026-05-05T12:00:00.000Z');
    await run(toMessage(delivery, '2026-05-05T12:00:00.000Z'));
    expect(findPosts(delivery)).toHaveLength(0);
    expect(await now(delivery)).toMatchObject({ state: 'EXPIRED', nextAttemptAt: null });
    expect(await getItem(keys.delivery(delivery.id))).not.toHaveProperty('duePk');
  });

  it('not even one that was due in time, once a queue has delayed it for more than fifteen minutes', async () => {
    const [early, late] = [await store({ nextAttemptAt: last }), await store({ nextAttemptAt: last })];
    clockAt('2026-05-05T10:15:00.000Z');
    await run(toMessage(early, last));
    clockAt('2026-05-05T10:15:00.001Z');
    await run(toMessage(late, last));
    expect([findPosts(early).length, findPosts(late).length]).toEqual([1, 0]);
    expect((await now(late)).state).toBe('EXPIRED');
  });

  it('the last slot counts in', async () => {
    const delivery = await store({
      createdAt: noon,
      expiresAt: '2026-05-05T12:00:00.000Z',
      nextAttemptAt: '2026-05-05T12:00:00.000Z',
    });
    behave = respond(500);
    clockAt('2026-05-05T12:00:03.000Z');
    await run(toMessage(delivery, '2026-05-05T12:00:00.000Z'));
    expect(findPosts(delivery)).toHaveLength(1);
    expect(await now(delivery)).toMatchObject({ state: 'EXPIRED', attempts: [{ status: 500 }] });
  });

  it('a replay is still made', async () => {
    const delivery = await store({ state: 'EXPIRED', nextAttemptAt: null });
    clockAt('2026-06-01T08:00:00.000Z');
    await requestReplay(delivery, '2026-06-01T08:00:00.000Z');
    await run(toMessage(delivery, '2026-06-01T08:00:00.000Z'));
    expect((await now(delivery)).state).toBe('DELIVERED');
  });
});

describe('a message that comes before its slot', () => {
  const later = '2026-05-02T10:25:00.000Z';

  it('is sent on with the rest of the delay, as far as a message can wait, and is no attempt', async () => {
    const delivery = await store({ nextAttemptAt: later });
    const body = toMessage(delivery, later);
    const steps = [
      [createdAt, 600],
      ['2026-05-02T10:10:00.200Z', 600],
      ['2026-05-02T10:20:00.200Z', 300],
    ] as const;
    for (const [at, delay] of steps) {
      clockAt(at);
      expect((await run(body)).again).toEqual([]);
      expect(queues.sent.splice(0)).toEqual([{ queue: 'delivery', body, group: `S${site.plain}`, delay }]);
    }
    expect(findPosts(delivery)).toHaveLength(0);
    clockAt(later);
    await run(body);
    expect([queues.sent, findPosts(delivery).length]).toEqual([[], 1]);
  });

  it('goes on once, however often it is in a batch', async () => {
    const delivery = await store({ nextAttemptAt: later });
    await run(toMessage(delivery, later), toMessage(delivery, later));
    expect(queues.take('delivery')).toHaveLength(1);
  });

  it('by no more than clocks differ is on time', async () => {
    const delivery = await store();
    clockAt('2026-05-02T09:59:59.100Z');
    await run(toMessage(delivery, createdAt));
    expect([queues.sent, findPosts(delivery).length]).toEqual([[], 1]);
  });

  it('is redelivered if SQS does not accept it', async () => {
    const delivery = await store({ nextAttemptAt: later });
    queues.refuse(() => true);
    expect((await run(toMessage(delivery, later))).again).toHaveLength(1);
  });
});

describe('a postback', () => {
  const postback = (nextAttemptAt: string) => store({ kind: 'postback', postbackUrl: receiver.url, nextAttemptAt });

  it('that fails makes the next of its delays due', async () => {
    behave = respond(500);
    const delivery = await postback(createdAt);
    await run(toMessage(delivery, createdAt));
    expect(await now(delivery)).toMatchObject({ state: 'PENDING', nextAttemptAt: '2026-05-02T10:01:00.000Z' });
  });

  it('whose attempt comes late skips what has passed meanwhile, so that no burst follows', async () => {
    behave = respond(500);
    const delivery = await postback('2026-05-02T10:01:00.000Z');
    clockAt('2026-05-02T10:29:59.000Z');
    await run(toMessage(delivery, '2026-05-02T10:01:00.000Z'));
    expect(await now(delivery)).toMatchObject({ state: 'PENDING', nextAttemptAt: '2026-05-02T10:30:00.000Z' });
  });
});

describe('an outcome', () => {
  const cancel = (delivery: Delivery) => transact({ row: cancelWrite(delivery, createdAt) });

  it('stops the new alert: nothing is sent any more', async () => {
    const delivery = await store();
    await cancel(delivery);
    clockAt(noon);
    await run(toMessage(delivery, createdAt), toMessage(delivery, noon));
    expect(findPosts(delivery)).toHaveLength(0);
    const item = await getItem(keys.delivery(delivery.id));
    const cancelled = {
      ...delivery,
      state: 'CANCELLED',
      nextAttemptAt: null,
      cancelledAt: createdAt,
      version: 2,
    } as const;
    expect(item).toEqual(toDeliveryItem(cancelled));
  });

  it.each([
    ['delivers', 204, 'DELIVERED'],
    ['fails and leaves it cancelled', 500, 'CANCELLED'],
  ])('that comes while an attempt is under way does not disturb it: it %s', async (_, status, state) => {
    const delivery = await store();
    behave = (socket, request) => void cancel(delivery).then(() => respond(status)(socket, request));
    expect((await run(toMessage(delivery, createdAt))).again).toEqual([]);
    expect(await now(delivery)).toMatchObject({ state, nextAttemptAt: null, attempts: [{ status }] });
    expect(await getItem(keys.delivery(delivery.id))).not.toHaveProperty('duePk');
  });

  it('does not cancel what is delivered', async () => {
    const delivery = await store({ state: 'DELIVERED', nextAttemptAt: null });
    await expect(cancel(delivery)).rejects.toThrow('condition');
  });
});

describe('a replay', () => {
  const asked = '2026-05-02T10:20:00.000Z';

  it.each(['PENDING', 'DELIVERED', 'EXPIRED', 'CANCELLED'] as const)(
    'of a %s delivery is one POST more',
    async (state) => {
      const delivery = await store({ state, nextAttemptAt: state === 'PENDING' ? noon : null });
      await requestReplay(delivery, asked);
      clockAt(asked);
      await run(toMessage(delivery, asked), toMessage(delivery, asked));
      await run(toMessage(delivery, asked));
      expect(findPosts(delivery)).toHaveLength(1);
      expect(await now(delivery)).toMatchObject({ state: 'DELIVERED', manualSlot: null });
    },
  );

  it('that fails leaves the schedule as it was', async () => {
    const delivery = await store({ nextAttemptAt: noon });
    behave = respond(500);
    await requestReplay(delivery, asked);
    clockAt(asked);
    await run(toMessage(delivery, asked), toMessage(delivery, createdAt));
    expect(await now(delivery)).toMatchObject({ state: 'PENDING', nextAttemptAt: noon, manualSlot: null });
  });

  it('that was lost on its way is made by the next sweep', async () => {
    const delivery = await store({ state: 'DELIVERED', nextAttemptAt: null });
    await requestReplay(delivery, asked);
    clockAt(noon);
    await run(toMessage(delivery, noon));
    expect((await now(delivery)).attempts).toMatchObject([{ slot: noon }]);
  });
});

describe('when the answer to a write is lost, and the SDK sends it again', () => {
  /** Sends each command of a kind twice and answers the second answer. */
  const losing = async (kind: string, act: () => Promise<unknown>) => {
    const send = DynamoDBDocumentClient.prototype.send;
    const spy = vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(async function (
      this: unknown,
      ...given: unknown[]
    ) {
      const [command] = given as [object];
      if (command.constructor.name === kind) await Reflect.apply(send, this, given);
      return Reflect.apply(send, this, given);
    });
    await act();
    spy.mockRestore();
  };

  it.each(['UpdateCommand', 'PutCommand'])('%s: the attempt is made and written once', async (kind) => {
    const delivery = await store();
    await losing(kind, async () =>
      expect((await handler(sqsEvent([toMessage(delivery, createdAt)]))).batchItemFailures).toEqual([]),
    );
    expect(findPosts(delivery)).toHaveLength(1);
    expect(await now(delivery)).toMatchObject({ state: 'DELIVERED', attempts: [{ status: 204 }] });
  });
});

describe('an update in the reply to a new alert', () => {
  const providerAlert = {
    ...blankProviderAlert,
    provider: 'provider_a',
    caseId: 'A1',
    type: 'FRAUD',
    card: '411111xxxxxx1111',
    transactionAt: createdAt,
    descriptor: 'SHOP',
    amount: '10.00',
    currency: 'USD',
    test: false,
  } as const;
  const alerted = async () => {
    const alert = createAlert(newTimedId(), providerAlert, createdAt, {
      site: alertSite(site.plain, receiver.url),
      matchedDescriptor: 'SHOP',
    });
    await putItem(toAlertItem(alert));
    const delivery = await store({ id: newAlertDeliveryId(alert.alertId), alertId: alert.alertId });
    return { alert, delivery };
  };
  const statusOf = async (alertId: number) => {
    const item = await getItem(keys.alert(alertId));
    return item && fromAlertItem(item).status;
  };

  it('is recorded, and the delivery is delivered', async () => {
    const { alert, delivery } = await alerted();
    behave = respond(200, '{"status":"RESOLVED","reason_code":"100.001"}', { 'content-type': 'application/json' });
    await run(toMessage(delivery, createdAt));
    expect(await statusOf(alert.alertId)).toBe('RESOLVED');
    expect(await now(delivery)).toMatchObject({ state: 'DELIVERED', attempts: [{ replyUpdate: { accepted: true } }] });
  });

  it.each(['application/x-www-form-urlencoded', 'text/html; charset=UTF-8', 'application/json'])(
    'may be a form of content type %s',
    async (type) => {
      const { alert, delivery } = await alerted();
      behave = respond(200, 'status=WIP&reason_code=999.002', { 'content-type': type });
      await run(toMessage(delivery, createdAt));
      expect(await statusOf(alert.alertId)).toBe('WIP');
    },
  );

  it.each([
    ['is broken', '{"status":"RESOLVED","reason_code":"100.001"', 'neither a JSON object nor a form'],
    ['is too long', `{"status":"RESOLVED","reason_code":"100.001","comments":"${'x'.repeat(20_000)}"}`, '16 KiB'],
  ])('is noted as unreadable on the delivery if it %s', async (_, text, why) => {
    const { alert, delivery } = await alerted();
    behave = respond(200, text, { 'content-type': 'application/json' });
    await run(toMessage(delivery, createdAt));
    expect(await statusOf(alert.alertId)).toBe('OPEN');
    const { state, attempts } = await now(delivery);
    expect(state).toBe('DELIVERED');
    expect(attempts[0]?.replyUpdate).toMatchObject({ accepted: false, reason: expect.stringContaining(why) });
  });

  it('that is a bad one is noted and fails nothing', async () => {
    const { alert, delivery } = await alerted();
    behave = respond(200, '{"status":"RESOLVED","reason_code":"102.001"}', { 'content-type': 'application/json' });
    expect((await run(toMessage(delivery, createdAt))).again).toEqual([]);
    expect(await statusOf(alert.alertId)).toBe('OPEN');
    const { state, attempts } = await now(delivery);
    expect(state).toBe('DELIVERED');
    expect(attempts[0]?.replyUpdate).toMatchObject({ accepted: false, reason: expect.stringContaining('102') });
  });

  it('counts only when the reply is a success', async () => {
    const { alert, delivery } = await alerted();
    behave = respond(500, '{"status":"RESOLVED","reason_code":"100.001"}', { 'content-type': 'application/json' });
    await run(toMessage(delivery, createdAt));
    expect(await statusOf(alert.alertId)).toBe('OPEN');
    expect((await now(delivery)).attempts[0]?.replyUpdate).toBeNull();
  });
});

it('keeps every row such as its entity would be written', async () => {
  const delivery = await store();
  behave = respond(500);
  await run(toMessage(delivery, createdAt));
  const item = await getItem(keys.delivery(delivery.id));
  expect(item).toEqual(toDeliveryItem(fromDeliveryItem(item ?? {})));
});

it('needs just what it is granted', () => {
  expect(actions).toEqual(grantedActions(deliverWorker.grants));
});
