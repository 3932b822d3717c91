import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { toRcodeItem } from '#accounts/merchants/site/site-row.ts';
import { iso, milliseconds, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, transact, updateItem } from '#core/platform/table/table.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { recordReplyUpdate, recordUpdate } from '#disputes/alerts/answer/update-store.ts';
import { newAlertDeliveryId } from '#messaging/webhooks/delivery/delivery.ts';
import { cancelWrite } from '#messaging/webhooks/delivery/delivery-row.ts';
import { ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';
import { settings } from './samples.ts';
import {
  alertAt,
  callsDuring,
  deliveriesAt,
  formFields,
  fresh,
  makeRcode,
  noticesAt,
  outcomesAt,
  seedClaims,
  seedSite,
  take,
  whileContended,
} from './seed.ts';

useOperations();
afterEach(() => setClock());

/** A site with an alert of its own, as yet unanswered. */
const withAlert = async (change: Partial<Site> = {}, sent: Record<string, unknown> = {}) => {
  const site = await seedSite(change);
  const descriptor = `SHOP ${site.sid}`;
  await seedClaims('provider_a', 'EXACT', descriptor, site);
  const more = async (again: Record<string, unknown> = {}) =>
    (
      await take('provider_a', {
        alertId: `A${fresh()}`,
        arn: null,
        authCode: null,
        merchantDescriptor: descriptor,
        ...again,
      })
    ).alert_id;
  return { site, alertId: await more(sent), more };
};

const update = (alertId: number | string, sid: number, change: Record<string, unknown> = {}, headers = {}) =>
  ask('alerts/update-alert', {
    as: 'nobody',
    body: { alert_id: String(alertId), status: 'RESOLVED', reason_code: '100.001', ...change },
    headers: { rcode: makeRcode(sid), ...headers },
  });
/** The updates whose status updates wait for the provider. */
const readUpdates = async (alertId: number) =>
  (await outcomesAt(alertId)).filter(({ statusDueAt }) => statusDueAt !== null).map(({ update: sent }) => sent);
const readHistory = async (alertId: number) =>
  ((await ask('alerts/alert-details', { params: { alert_id: alertId } })).body as { history: unknown[] }).history;

describe("a merchant's update", () => {
  it("is stored in two calls, creates the provider's outcome, and cancels the notification", async () => {
    const { site, alertId } = await withAlert();
    const calls = await callsDuring(async () =>
      expect(await update(alertId, site.sid)).toMatchObject({
        status: 200,
        body: { status: 'ok', alert_id: String(alertId), alert_status: 'RESOLVED', reason_code: '100.001' },
      }),
    );
    expect(calls).toBe(2);
    expect((await noticesAt(alertId)).delivery).toMatchObject({ state: 'CANCELLED' });
    expect(await outcomesAt(alertId)).toMatchObject([{ alertId, number: 1, state: 'PENDING', isFinal: true }]);
    expect(await readUpdates(alertId)).toEqual([{ status: 'RESOLVED', reason_code: '100.001' }]);
    expect(await deliveriesAt(alertId)).toHaveLength(1);
    expect(await readHistory(alertId)).toMatchObject([
      { via: 'intake' },
      { by: `site ${site.sid}`, via: 'update', change: { from: { status: 'OPEN' }, to: { status: 'RESOLVED' } } },
    ]);
  });

  it('changes nothing and sends nothing if it is repeated', async () => {
    const { site, alertId } = await withAlert();
    const change = { merchant_notes: 'refunded', alert_outcome_amount: '361.56', alert_outcome_currency: 'USD' };
    await update(alertId, site.sid, change);
    const before = await alertAt(alertId);
    const calls = await callsDuring(async () =>
      expect(await update(alertId, site.sid, change)).toMatchObject({
        status: 200,
        body: { alert_status: 'RESOLVED' },
      }),
    );
    expect(calls).toBe(1);
    expect(await alertAt(alertId)).toEqual(before);
    expect(await readUpdates(alertId)).toHaveLength(1);
    expect(await update(alertId, site.sid, { reason_code: '100.003' })).toMatchObject({ status: 409 });
  });

  it('tells only of a status that changes', async () => {
    const { site, alertId } = await withAlert();
    await update(alertId, site.sid, { status: 'WIP', reason_code: '999.002' });
    await update(alertId, site.sid, { status: 'WIP', reason_code: '999.002', merchant_notes: 'soon' });
    expect(await readUpdates(alertId)).toHaveLength(1);
    await update(alertId, site.sid);
    expect((await readUpdates(alertId)).map(({ status }) => status)).toEqual(['WIP', 'RESOLVED']);
    expect(await readHistory(alertId)).toHaveLength(4);
  });

  it.each([
    ['has opted out', { status_update_opt_in: false }],
    ['has no URL for it', { statusupdate_url: null }],
  ])('tells nobody where the site %s', async (_name, change) => {
    const { site, alertId } = await withAlert({ alert: settings(change) });
    await update(alertId, site.sid);
    expect(await readUpdates(alertId)).toEqual([]);
  });

  it('tells a site that did not ask for all only of the statuses that the interface names', async () => {
    const { site, alertId } = await withAlert({ alert: settings({ status_update_statuses: 'named' }) });
    await update(alertId, site.sid, { status: 'WIP', reason_code: '999.002' });
    expect(await readUpdates(alertId)).toEqual([]);
    await update(alertId, site.sid);
    expect((await readUpdates(alertId)).map(({ status }) => status)).toEqual(['RESOLVED']);
  });

  it('is reported back immediately for a test alert, which has no provider', async () => {
    const { site, alertId } = await withAlert();
    const made = await alertAt(alertId);
    const providerAlert = { ...made.providerAlert, provider: 'service_dummy', test: true } as const;
    await putItem(toAlertItem({ ...made, providerAlert }));
    await update(alertId, site.sid);
    expect(await outcomesAt(alertId)).toEqual([]);
    const told = (await deliveriesAt(alertId)).filter(({ kind }) => kind === 'status_update');
    expect(told.map(({ body }) => formFields(body))).toMatchObject([
      { action: 'statusupdate', status: 'RESOLVED', outcome_updated_on: expect.stringMatching(/Z$/) },
    ]);
  });

  it('is taken late, and marked so', async () => {
    const { site, alertId } = await withAlert();
    const { deadlineAt } = await alertAt(alertId);
    setClock(() => Date.parse(deadlineAt ?? '') + 1);
    expect(await update(alertId, site.sid)).toMatchObject({ status: 200 });
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED', late: true });
  });

  it('with 940 may name an alert the site has, and no other', async () => {
    const { site, alertId, more } = await withAlert();
    const other = await withAlert();
    const declined = (id: number | string) =>
      update(alertId, site.sid, {
        status: 'DECLINED',
        reason_code: '940.002',
        tx_details: [{ duplicate_alertid: id }],
      });
    const [absent, another] = [await declined(77), await declined(other.alertId)];
    expect(absent).toMatchObject({ status: 400 });
    expect(another.body).toEqual(absent.body);
    expect((await declined(await more({ type: 'FRAUD_NOTICE' }))).body).toEqual(absent.body);
    const first = await more();
    expect(await callsDuring(async () => expect(await declined(String(first))).toMatchObject({ status: 200 }))).toBe(2);
  });

  it.each([
    ['FRAUD_NOTICE', {}, 409],
    ['CONFIRMED_FRAUD', { reason_code: '900.002' }, 400],
    ['CONFIRMED_FRAUD', { status: 'DECLINED', reason_code: '900.002' }, 400],
    ['CONFIRMED_FRAUD', { status: 'DONE' }, 400],
  ])('about a %s with %j is refused with %i', async (type, change, status) => {
    const { site, alertId } = await withAlert({}, { type });
    expect(await update(alertId, site.sid, change)).toMatchObject({ status });
    expect((await noticesAt(alertId)).delivery).toMatchObject({ state: 'PENDING' });
  });
});

describe('an rcode', () => {
  it('that is missing, wrong or at its end is refused alike', async () => {
    const { site, alertId } = await withAlert();
    const ended = { digest: site.rcodes[0]?.digest ?? '', sealed: '', validUntil: '2026-01-01T00:00:00.000Z' };
    expect(await update(alertId, site.sid, {}, { rcode: '' })).toMatchObject({ status: 401 });
    expect(await update(alertId, site.sid, {}, { rcode: 'x'.repeat(32) })).toMatchObject({ status: 401 });
    await putItem(toRcodeItem(site, ended));
    expect(await update(alertId, site.sid)).toMatchObject({ status: 401 });
    await putItem(toRcodeItem(site, { ...ended, validUntil: '2999-01-01T00:00:00.000Z' }));
    expect(await update(alertId, site.sid)).toMatchObject({ status: 200 });
  });

  it("shows nothing of another site's alert, nor of one in the inbox", async () => {
    const [one, other] = [await withAlert(), await withAlert()];
    const inbox = await take('provider_a', { alertId: 'inbox', merchantDescriptor: 'NOBODY' });
    const absent = await update(77, one.site.sid);
    expect(absent).toMatchObject({ status: 404 });
    for (const id of [other.alertId, inbox.alert_id]) {
      expect(await update(id, one.site.sid)).toMatchObject({ status: 404, body: absent.body });
    }
    expect(await alertAt(other.alertId)).toMatchObject({ status: 'OPEN' });
  });
});

it('is refused with every field of it that cannot be true', async () => {
  const { site, alertId } = await withAlert();
  const refused = await update(alertId, site.sid, {
    ...{ reason_code: '100.001', alert_outcome_amount: '99999', alert_outcome_currency: 'USD' },
    alert_outcome_action_date: '2036-01-01T00:00:00Z',
  });
  expect(refused).toMatchObject({ status: 400 });
  expect(JSON.stringify(refused.body)).toMatch(/alert_outcome_amount: .*; alert_outcome_action_date: /);
  expect(await alertAt(alertId)).toMatchObject({ status: 'OPEN' });
});

describe('an answer that cannot be true', () => {
  const money = (alert_outcome_amount: string, alert_outcome_currency?: string) => ({
    alert_outcome_amount,
    ...(alert_outcome_currency !== undefined && { alert_outcome_currency }),
  });
  const sent = {
    amount: { value: '361.56', currencyCode: 'USD' },
    transactionTimestamp: '2026-05-01T10:00:00Z',
  };

  it.each([
    ['more than was charged', money('361.57', 'USD')],
    ['in a currency that nobody named', money('99999.00', 'EUR')],
    ['nothing', money('0', 'USD')],
    ['nothing, in part', { reason_code: '101.001', ...money('0.00', 'USD') }],
    ['less than nothing', money('-1.00', 'USD')],
    ['of more decimals than there are', money('1.234', 'USD')],
    ['of no currency', money('5.00')],
    ['of a currency that is none', money('5.00', 'USDD')],
    ['a currency that nobody named, without an amount', { alert_outcome_currency: 'EUR' }],
    ['in part, without an amount', { reason_code: '101.001' }],
    ['in part, with a currency alone', { reason_code: '101.001', alert_outcome_currency: 'USD' }],
    ['in years', { alert_outcome_action_date: '2036-01-01T00:00:00Z' }],
    ['in more than a day', { alert_outcome_action_date: '2026-05-03T10:00:01Z' }],
    ['before the transaction', { alert_outcome_action_date: '2026-04-30T23:59:59Z' }],
    ['on a day that is none', { alert_outcome_action_date: '2026-02-30T00:00:00Z' }],
    ['at no time', { alert_outcome_action_date: 'yesterday' }],
  ])('is refused by whichever way it comes: %s', async (_, change) => {
    setClock(() => Date.parse('2026-05-02T10:00:00Z'));
    const { site, alertId } = await withAlert({}, sent);
    expect(await update(alertId, site.sid, change)).toMatchObject({ status: 400 });
    const fields = { status: 'RESOLVED', reason_code: '100.001', ...change };
    const byPerson = await ask('alerts/answer-alert', { params: { alert_id: alertId }, body: fields });
    expect(byPerson).toMatchObject({ status: 400 });
    const at = new Date('2026-05-02T10:00:00Z').toISOString();
    expect(await recordReplyUpdate({ alertId, sid: site.sid, update: fields, at })).toMatchObject({ accepted: false });
    expect(await alertAt(alertId)).toMatchObject({ status: 'OPEN', update: null });
    expect(await readUpdates(alertId)).toEqual([]);
  });

  it('is none up to what was charged, from its day on and until the next', async () => {
    setClock(() => Date.parse('2026-05-02T10:00:00Z'));
    for (const alert_outcome_action_date of ['2026-05-01T00:00:00Z', '2026-05-03T10:00:00Z']) {
      const { site, alertId } = await withAlert({}, sent);
      const change = { ...money('361.56', 'USD'), alert_outcome_action_date };
      expect(await update(alertId, site.sid, change)).toMatchObject({ status: 200 });
    }
  });
});

describe('updates at the same moment', () => {
  it('with different ends have one winner; the others are refused', async () => {
    const { site, alertId } = await withAlert();
    const ends = ['100.001', '100.003', '103.002', '103.001'];
    const answers = await Promise.all(ends.map((reason_code) => update(alertId, site.sid, { reason_code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const winner = ends[answers.findIndex(({ status }) => status === 200)];
    expect(await alertAt(alertId)).toMatchObject({ update: { reason_code: winner } });
    expect(await readUpdates(alertId)).toHaveLength(1);
  });

  it('with the same end are all taken, once', async () => {
    const { site, alertId } = await withAlert();
    const answers = await Promise.all(Array.from({ length: 4 }, () => update(alertId, site.sid)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await readUpdates(alertId)).toHaveLength(1);
  });

  it('are refused after several attempts if other callers always write first', async () => {
    const { site, alertId } = await withAlert();
    expect(await whileContended(alertId, () => update(alertId, site.sid))).toMatchObject({ status: 409 });
    expect(await alertAt(alertId)).toMatchObject({ status: 'OPEN' });
  });

  it('have the time of the attempt that stored them', async () => {
    const { site, alertId } = await withAlert();
    const rcode = makeRcode(site.sid);
    const inHours = (hours: number) => iso(Date.now() + hours * milliseconds.hour);
    const [first, second] = [inHours(1), inHours(2)];
    beforeTransactions(async () => {
      beforeTransactions();
      await recordUpdate(alertId, { status: 'WIP', reason_code: '999.002' }, rcode, first);
      setClock(() => Date.parse(second));
    });
    await recordUpdate(alertId, { status: 'RESOLVED', reason_code: '100.001' }, rcode, first);
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED', updatedAt: second });
  });

  it('do not depend on a notification that is delivered in between', async () => {
    const { site, alertId } = await withAlert();
    const { delivery } = await noticesAt(alertId);
    if (!delivery) throw new Error('no delivery');
    const delivered = updateItem({
      Key: keys.delivery(delivery.id),
      UpdateExpression: 'SET #state = :delivered ADD version :one',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':delivered': 'DELIVERED', ':one': 1 },
    });
    const [, answer] = await Promise.all([delivered, update(alertId, site.sid)]);
    expect(answer).toMatchObject({ status: 200 });
    await expect(transact({ row: cancelWrite(delivery, '2026-05-02T10:00:00.000Z') })).rejects.toThrow();
  });
});

describe('an update in the reply to the notification', () => {
  const at = '2999-05-02T12:00:00.000Z';

  it('is taken by the same rules and leaves the attempt under way alone', async () => {
    const { site, alertId } = await withAlert();
    const lease = { attemptId: 'mine', until: at };
    const Key = keys.delivery(newAlertDeliveryId(alertId));
    await updateItem({ Key, UpdateExpression: 'SET lease = :lease', ExpressionAttributeValues: { ':lease': lease } });
    const fields = { status: 'RESOLVED', reason_code: '100.001', alert_id: alertId, other: 'x' };
    expect(await recordReplyUpdate({ alertId, sid: site.sid, update: fields, at })).toEqual({ accepted: true });
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED', updatedAt: at });
    expect(await getItem(Key)).toMatchObject({ state: 'CANCELLED', lease });
    expect(await readUpdates(alertId)).toHaveLength(1);
    expect(await readHistory(alertId)).toMatchObject([{}, { via: 'webhook_reply' }]);
  });

  it.each([
    [{ status: 'RESOLVED', reason_code: '900.002' }, 'reason_code_invalid: reason_code: '],
    [{ status: 'DONE', reason_code: '100.001' }, 'request_invalid: status: '],
    [{ status: 'RESOLVED', reason_code: '100.001', alert_id: '5' }, 'request_invalid: alert_id: '],
    // A text is the same: an error of the merchant must not make the attempt be repeated.
    [{ status: 'RESOLVED', reason_code: '100.001', alert_id: { toString: 1 } }, 'request_invalid: alert_id: '],
    [{ status: 'WIP', reason_code: '999.002', comments: '\ud800' }, 'request_invalid: comments: '],
    [
      { status: 'WIP', reason_code: '999.002', tx_details: { userid: '\ud800' } },
      'request_invalid: tx_details.0.userid: ',
    ],
  ])('is refused with the reason when it is %j', async (fields, reason) => {
    const { site, alertId } = await withAlert();
    const answer = await recordReplyUpdate({ alertId, sid: site.sid, update: fields, at });
    expect(answer).toEqual({ accepted: false, reason: expect.stringContaining(reason) });
    expect(await alertAt(alertId)).toMatchObject({ status: 'OPEN' });
  });

  it('fails if it could not be stored', async () => {
    const { site, alertId } = await withAlert();
    const update = { status: 'RESOLVED', reason_code: '100.001' };
    beforeTransactions(() => Promise.reject(new Error('The table does not respond')));
    await expect(recordReplyUpdate({ alertId, sid: site.sid, update, at })).rejects.toThrow(
      'The table does not respond',
    );
    beforeTransactions();
    expect(await alertAt(alertId)).toMatchObject({ status: 'OPEN' });
  });
});

afterAll(() => expectDeclared('alerts/update-alert'));

it('tells changes in the order in which they were written, whatever the clocks of the functions say', async () => {
  const { site, alertId } = await withAlert();
  const rcode = makeRcode(site.sid);
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  const wip = { status: 'WIP', reason_code: '999.002' } as const;
  await recordUpdate(alertId, { ...wip, comments: 'from a clock ahead' }, rcode, at(60));
  await recordUpdate(alertId, { status: 'RESOLVED', reason_code: '100.001' }, rcode, at(0));
  const { body } = await ask('alerts/alert-details', { params: { alert_id: alertId } });
  const { status, history } = body as {
    status: string;
    history: { at: string; change: { to: { status?: string } } }[];
  };
  expect([status, history.at(-1)?.change.to.status]).toEqual(['RESOLVED', 'RESOLVED']);
  const times = history.map((entry) => entry.at);
  expect(times).toEqual(times.toSorted());
});
