import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toSiteItem } from '#accounts/merchants/site/site-row.ts';
import { keys } from '#core/platform/table/keys.ts';
import { putItem, transact, updateItem } from '#core/platform/table/table.ts';
import { createAlert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { blankProviderAlert } from '#disputes/providers/provider-alert.ts';
import { handler as details } from '#messaging/webhooks/api/details/handler.ts';
import { notificationDetailsOperation } from '#messaging/webhooks/api/details/operation.ts';
import { handler as list } from '#messaging/webhooks/api/list/handler.ts';
import { listNotificationsOperation } from '#messaging/webhooks/api/list/operation.ts';
import { handler as replay } from '#messaging/webhooks/api/replay/handler.ts';
import { replayNotificationOperation } from '#messaging/webhooks/api/replay/operation.ts';
import { handler as replayAll } from '#messaging/webhooks/api/replay-failed/handler.ts';
import { replayFailedOperation } from '#messaging/webhooks/api/replay-failed/operation.ts';
import { handler as request } from '#messaging/webhooks/api/request/handler.ts';
import { notificationRequestOperation } from '#messaging/webhooks/api/request/operation.ts';
import {
  createDelivery,
  type Delivery,
  deliveryAfterAttempt,
  deliveryIdOf,
} from '#messaging/webhooks/delivery/delivery.ts';
import { cancelWrite, toDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { getDelivery } from '#messaging/webhooks/delivery/delivery-store.ts';
import { call, gatewayEvent } from '#test/support/gateway-event.ts';
import { longList, storeLongList } from '#test/support/long-list.ts';
import { useTable } from '#test/support/table.ts';
import { alertSite, clockAt, fakeQueues, grantedActions, signingSecret, token, watchTable } from './support.ts';

useTable();

const at = (minute: number) => `2026-05-02T10:${String(minute).padStart(2, '0')}:00.000Z`;
const freshUntil = '2999-01-01T00:00:00.000Z';
const admin = { scope: 'admin', subject: 'root', freshUntil };
const merchant = (mid: number) => ({ scope: 'merchant', subject: `merchant ${mid}`, mid: String(mid), freshUntil });
const listed = new Set<string>();
const detailed = new Set<string>();
const requested = new Set<string>();
const replayed = new Set<string>();
const replayedAll = new Set<string>();
const queues = fakeQueues();

const ask = async (
  handler: typeof list,
  actions: Set<string> | undefined,
  caller: Record<string, string>,
  body: unknown,
  id?: string,
) => {
  const watch = watchTable();
  const answer = await call(
    handler,
    gatewayEvent({
      authorizer: caller,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      ...(id !== undefined && { pathParameters: { id } }),
    }),
  );
  watch.stop();
  for (const action of watch.actions) actions?.add(action);
  return {
    status: answer.status,
    body: answer.body as {
      list: { id: string }[];
      totalResult: number;
      next_cursor: string | null;
      msg: string;
      details: string;
    },
  };
};
const listFor = (caller: Record<string, string>, body: unknown = {}) => ask(list, listed, caller, body);
const listIds = async (caller: Record<string, string>, body: unknown = {}) =>
  (await listFor(caller, body)).body.list.map(({ id }) => id);

const failed = (delivery: Delivery): Delivery =>
  deliveryAfterAttempt(delivery, {
    id: 'a',
    at: delivery.createdAt,
    slot: delivery.createdAt,
    url: 'https://m.example/hook',
    status: 500,
    latencyMilliseconds: 31,
    error: 'http_status',
    response: 'no such thing',
    responseTruncated: false,
    replyUpdate: null,
  });

/** Merchant 1 has sites 1 and 2, merchant 9 has site 9. Alert 100 is site 1's. */
const rows = [
  { n: 1, sid: 1, mid: 1, alertId: 100, kind: 'new_alert' },
  { n: 2, sid: 1, mid: 1, alertId: 100, kind: 'status_update' },
  { n: 3, sid: 2, mid: 1, alertId: null, kind: 'enrollment_update' },
  { n: 4, sid: 9, mid: 9, alertId: null, kind: 'enrollment_update' },
] as const;

beforeAll(async () => {
  for (const { n, ...row } of rows) {
    const delivery = createDelivery({
      ...row,
      id: deliveryIdOf(n),
      rid: 2,
      contentType: 'application/x-www-form-urlencoded',
      body: 'action=enrollment&sid=9',
      at: at(n),
    });
    await putItem(
      toDeliveryItem(n === 2 ? { ...delivery, state: 'DELIVERED', nextAttemptAt: null } : failed(delivery)),
    );
  }
  await putItem(toSiteItem(alertSite(1, null)));
  await putItem(toSiteItem(alertSite(2, null)));
  await putItem(toSiteItem({ ...alertSite(9, null), mid: 9 }));
  const providerAlert = {
    ...blankProviderAlert,
    provider: 'provider_a',
    caseId: 'A',
    type: 'FRAUD',
    card: '',
    transactionAt: at(0),
    descriptor: '',
    amount: '1.00',
    currency: 'USD',
    test: false,
  } as const;
  await putItem(
    toAlertItem(createAlert(100, providerAlert, at(0), { site: alertSite(1, null), matchedDescriptor: '' })),
  );
});
beforeEach(() => clockAt(at(30)));
afterAll(() => clockAt(at(30)));

describe('webhooks/list', () => {
  it('shows a merchant its own, newest first, and an administrator all', async () => {
    expect(await listIds(merchant(1))).toEqual(['ntf_3', 'ntf_2', 'ntf_1']);
    expect(await listIds(merchant(9))).toEqual(['ntf_4']);
    expect(await listIds(admin)).toEqual(['ntf_4', 'ntf_3', 'ntf_2', 'ntf_1']);
    expect(await listIds(admin, { mid: 9 })).toEqual(['ntf_4']);
    expect(await listIds(admin, { order: 'ASC', size: 2 })).toEqual(['ntf_1', 'ntf_2']);
  });

  it('filters by site, alert, kind, state and date, alone and together', async () => {
    expect(await listIds(merchant(1), { sid: 1 })).toEqual(['ntf_2', 'ntf_1']);
    expect(await listIds(merchant(1), { alert_id: '100' })).toEqual(['ntf_2', 'ntf_1']);
    expect(await listIds(merchant(1), { kind: ['new_alert', 'enrollment_update'] })).toEqual(['ntf_3', 'ntf_1']);
    expect(await listIds(merchant(1), { state: 'DELIVERED' })).toEqual(['ntf_2']);
    expect(await listIds(merchant(1), { state: 'PENDING', kind: 'new_alert', sid: 1 })).toEqual(['ntf_1']);
    expect(await listIds(merchant(1), { date_from: at(2), date_to: at(2) })).toEqual(['ntf_2']);
    expect(await listIds(merchant(1), { date_from: '2026-05-03' })).toEqual([]);
  });

  it('filters what belongs to an alert as it reads it, page by page', async () => {
    const kind = ['new_alert', 'status_update'];
    const all = { alert_id: 100, kind, order: 'ASC' };
    const first = await listFor(merchant(1), { ...all, size: 1 });
    expect(first.body).toMatchObject({ list: [{ id: 'ntf_1' }], totalResult: 2, next_cursor: expect.any(String) });
    const next = await listFor(merchant(1), { ...all, size: 1, cursor: first.body.next_cursor });
    expect(next.body).toMatchObject({ list: [{ id: 'ntf_2' }], totalResult: 2, next_cursor: null });
    expect(await listIds(merchant(1), { ...all, offset: 1 })).toEqual(['ntf_2']);
    expect(await listIds(merchant(1), { ...all, state: 'DELIVERED' })).toEqual(['ntf_2']);
    expect(await listIds(merchant(1), { ...all, order: 'DESC' })).toEqual(['ntf_2', 'ntf_1']);
  });

  it('shows one that waits for its first attempt with its alert, and one that is cancelled meanwhile with all', async () => {
    const own = { sid: 1, mid: 5, rid: 2, alertId: 100, contentType: 'application/json', body: '' };
    // Earlier than all others.
    const past = '2026-04-02T10:00:00.000Z';
    const waiting = createDelivery({ ...own, kind: 'new_alert', id: deliveryIdOf(5), at: past });
    const before = { date_to: at(0) };
    await putItem(toDeliveryItem(waiting));
    expect(await listIds(admin, { ...before, alert_id: 100, state: 'PENDING' })).toEqual([waiting.id]);
    for (const scope of [{}, { mid: 5 }, { sid: 1 }]) expect(await listIds(admin, { ...before, ...scope })).toEqual([]);
    await transact({ row: cancelWrite(waiting, at(6)) });
    for (const scope of [{}, { mid: 5 }, { sid: 1 }, { alert_id: 100 }]) {
      expect(await listIds(admin, { ...before, ...scope, state: 'CANCELLED' })).toEqual([waiting.id]);
    }
    await updateItem({ Key: keys.delivery(waiting.id), UpdateExpression: 'REMOVE listSk' });
  });

  it('finds nothing where filters exclude each other', async () => {
    expect((await listFor(merchant(1), { sid: 2, alert_id: 100 })).body).toEqual({
      list: [],
      totalResult: 0,
      next_cursor: null,
    });
    expect(await listIds(admin, { sid: 1, mid: 9 })).toEqual([]);
  });

  it('goes on by cursor and by offset', async () => {
    const first = await listFor(merchant(1), { size: 2 });
    expect(first.body.next_cursor).not.toBeNull();
    expect(await listIds(merchant(1), { size: 2, cursor: first.body.next_cursor })).toEqual(['ntf_1']);
    expect(await listIds(merchant(1), { size: 2, offset: 2 })).toEqual(['ntf_1']);
  });

  it('shows what is decided of a delivery, without replies and bodies', async () => {
    const { body } = await listFor(merchant(9));
    expect(body).toEqual({
      list: [
        {
          id: 'ntf_4',
          kind: 'enrollment_update',
          state: 'PENDING',
          sid: 9,
          alert_id: null,
          payment: null,
          url: 'https://m.example/hook',
          created_at: at(4),
          expires_at: '2026-05-05T10:04:00.000Z',
          next_attempt_at: '2026-05-02T12:00:00.000Z',
          attempts: [{ at: at(4), slot: at(4), status: 500, latency_ms: 31, error: 'http_status' }],
        },
      ],
      totalResult: 1,
      next_cursor: null,
    });
  });

  it("answers another merchant's site, alert or number like one that does not exist", async () => {
    const refusals: [unknown, unknown, number][] = [
      [{ sid: 1 }, { sid: 77 }, 404],
      [{ alert_id: 100 }, { alert_id: 77 }, 404],
      [{ mid: 1 }, { mid: 77 }, 404],
    ];
    for (const [others, absent, status] of refusals) {
      const answer = await listFor(merchant(9), others);
      expect(answer.status).toBe(status);
      expect(answer).toEqual(await listFor(merchant(9), absent));
    }
  });

  it.each([
    [{ state: 'LOST' }, 'state: must be one of PENDING, DELIVERED, EXPIRED, CANCELLED'],
    [{ kind: 'carrier_pigeon' }, 'kind: must be one of'],
    [{ sid: 'x' }, 'sid: must be a whole number above 0'],
    [{ size: 501 }, 'size: must be at most 500'],
    [{ cursor: 'x' }, 'cursor: '],
    [{ date_from: 'yesterday' }, 'date_from: must be YYYY-MM-DD'],
  ])('refuses %j and names the field', async (body, words) => {
    const answer = await listFor(merchant(1), body);
    expect(answer.status).toBe(400);
    expect(answer.body.details).toContain(words);
  });
});

describe('webhooks/details', () => {
  it('shows each attempt with the reply to it', async () => {
    const { status, body } = await ask(details, detailed, merchant(9), {}, 'ntf_4');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: 'ntf_4',
      attempts: [{ status: 500, error: 'http_status', response: 'no such thing' }],
    });
  });

  it('shows the payload in the site’s format, which lists omit', async () => {
    const { body } = await ask(details, detailed, merchant(9), {}, 'ntf_4');
    expect(body).toMatchObject({ content_type: 'application/x-www-form-urlencoded', body: 'action=enrollment&sid=9' });
    await putItem(toSiteItem({ ...alertSite(9, null, { body_format: 'json' }), mid: 9 }));
    const json = await ask(details, detailed, merchant(9), {}, 'ntf_4');
    expect(json.body).toMatchObject({ content_type: 'application/json', body: '{"action":"enrollment","sid":9}' });
    expect(JSON.stringify(await listFor(merchant(9)))).not.toContain('action=enrollment');
  });

  it("answers another merchant's like one that does not exist", async () => {
    const others = await ask(details, undefined, merchant(9), {}, 'ntf_1');
    expect(others.status).toBe(404);
    expect(others).toEqual(await ask(details, undefined, merchant(9), {}, 'ntf_77'));
    expect((await ask(details, undefined, admin, {}, 'ntf_1')).status).toBe(200);
  });
});

describe('webhooks/replay', () => {
  it('makes an attempt due immediately, whatever the state', async () => {
    expect(await ask(replay, replayed, merchant(1), {}, 'ntf_2')).toMatchObject({
      status: 200,
      body: { status: 'ok', id: 'ntf_2' },
    });
    expect(await getDelivery('ntf_2')).toMatchObject({ state: 'DELIVERED', manualSlot: at(30) });
    expect((await ask(details, undefined, merchant(1), {}, 'ntf_2')).body).toMatchObject({
      state: 'DELIVERED',
      next_attempt_at: at(30),
    });
  });

  it('may be requested again while one is due, also by many at once', async () => {
    clockAt(at(40));
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => ask(replay, undefined, merchant(1), {}, 'ntf_2')),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it("answers another merchant's like one that does not exist, and makes nothing due", async () => {
    const others = await ask(replay, undefined, merchant(9), {}, 'ntf_1');
    expect(others.status).toBe(404);
    expect(others).toEqual(await ask(replay, undefined, merchant(9), {}, 'ntf_77'));
    expect(await getDelivery('ntf_1')).toMatchObject({ manualSlot: null });
  });
});

describe('webhooks/replay-failed', () => {
  const span = { from: '2026-05-02', to: '2026-05-02' };
  const failing = (body: object, caller = merchant(1)) =>
    ask(replayAll, replayedAll, caller, { sid: 1, ...span, ...body });

  it('queues what failed, and what it would queue', async () => {
    expect((await failing({ dry_run: true })).body).toMatchObject({ matched: 1, queued: 0 });
    expect(queues.take('sweep')).toEqual([]);
    expect((await failing({ kind: 'status_update' })).body).toMatchObject({ matched: 0, queued: 0 });
    expect((await failing({})).body).toMatchObject({ status: 'ok', matched: 1, queued: 1 });
    expect(queues.take('sweep')).toEqual([{ replays: ['ntf_1'], at: at(30) }]);
  });

  it('takes a span of a week at most, which goes forward', async () => {
    for (const wrong of [{ from: '2026-05-03' }, { from: '2026-04-20' }]) {
      const { status, body } = await failing(wrong);
      expect(status).toBe(400);
      expect(body.details).toMatch(/^to: must be/);
    }
  });

  it("answers another merchant's site like one that does not exist", async () => {
    const theirs = await failing({}, merchant(9));
    expect(theirs.status).toBe(404);
    expect(await failing({ sid: 777 }, merchant(9))).toEqual(theirs);
  });
});

describe('webhooks/request', () => {
  const requestOf = async (caller: Record<string, string>, id: string) => {
    const { status, body } = await ask(request, requested, caller, {}, id);
    return { status, body: body as Record<string, unknown> };
  };

  it('is what would be sent now, signed for this moment, without the token', async () => {
    const { status, body } = await requestOf(merchant(1), 'ntf_1');
    expect(status).toBe(200);
    const headers = body['headers'] as Record<string, string>;
    expect(headers).toMatchObject({ 'webhook-id': 'ntf_1', 'webhook-timestamp': String(Date.parse(at(30)) / 1000) });
    const signed = `ntf_1.${headers['webhook-timestamp']}.${body['body']}`;
    const key = Buffer.from(signingSecret.slice('whsec_'.length), 'base64');
    expect(headers['webhook-signature']?.split(' ')).toContain(
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    );
    expect(body).toMatchObject({ method: 'POST', url: null, body: 'action=enrollment&sid=9', token_set: true });
    expect(JSON.stringify(body)).not.toContain(token);
    expect(headers['authorization']).toBeUndefined();
  });

  it('sends nothing, and changes nothing', async () => {
    const before = await getDelivery('ntf_1');
    await requestOf(merchant(1), 'ntf_1');
    expect(await getDelivery('ntf_1')).toEqual(before);
    expect(queues.take('delivery')).toEqual([]);
  });

  it("answers another merchant's like one that does not exist", async () => {
    const theirs = await requestOf(merchant(9), 'ntf_1');
    expect(theirs.status).toBe(404);
    expect(await requestOf(merchant(9), 'ntf_7777')).toEqual(theirs);
  });
});

it('says how many a long list has', async () => {
  const own = { kind: 'enrollment_update', sid: 9, mid: 9, rid: 2, alertId: null } as const;
  const body = { contentType: 'application/x-www-form-urlencoded', body: 'action=enrollment&sid=9' };
  await storeLongList(toDeliveryItem(failed(createDelivery({ ...own, ...body, id: deliveryIdOf(4), at: at(4) }))));
  for (const filter of [{}, { state: 'PENDING' }]) {
    expect((await listFor(merchant(9), { ...filter, size: 5 })).body.totalResult).toBe(longList + 1);
  }
});

it('needs just what each is granted', async () => {
  expect(requested).toEqual(grantedActions(notificationRequestOperation.grants));
  expect(replayedAll).toEqual(grantedActions(replayFailedOperation.grants));
  expect(detailed).toEqual(grantedActions(notificationDetailsOperation.grants));
  expect(replayed).toEqual(grantedActions(replayNotificationOperation.grants));
  for (const state of [undefined, 'PENDING']) {
    for (const scope of [{}, { mid: 1 }, { sid: 1 }, { alert_id: 100 }]) await listFor(admin, { ...scope, state });
  }
  expect(listed).toEqual(grantedActions(listNotificationsOperation.grants));
});
