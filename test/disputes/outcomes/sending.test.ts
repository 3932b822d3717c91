import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { iso, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, queryItems, updateItem } from '#core/platform/table/table.ts';
import { duePartition, dueShards } from '#core/platform/work/due.ts';
import { withdraw } from '#disputes/alerts/alert.ts';
import { fromAlertItem, toAlertItem } from '#disputes/alerts/alert-row.ts';
import { toOutcomeItem } from '#disputes/alerts/answer/network-outcome-row.ts';
import { toStoredCaseName } from '#disputes/alerts/intake/case-name-store.ts';
import { takeRevision } from '#disputes/alerts/intake/revision-store.ts';
import { handler as tellA } from '#disputes/outcomes/jobs/tell-provider-a/handler.ts';
import { tellProviderAWorker } from '#disputes/outcomes/jobs/tell-provider-a/worker.ts';
import { handler as tellB } from '#disputes/outcomes/jobs/tell-provider-b/handler.ts';
import { readLines } from '#disputes/outcomes/outcome-store.ts';
import { clockAt, fakeQueues, grantedActions, sqsEvent, watchTable } from '#test/messaging/support.ts';
import { useTable } from '#test/support/table.ts';
import {
  answer,
  networks,
  outcomeAt,
  readHistory,
  secrets,
  seedAlert,
  statusUpdatesOf,
  useNetworks,
} from './fixture.ts';
import { inProgress, minutesAfter, resolved } from './samples.ts';

/** The workers that tell providers, against the table and both networks. */

useTable();
const queues = fakeQueues();
useNetworks();

const now = '2026-05-02T11:00:00.000Z';

let day = 0;
/** Each test has days of its own, so that no secret read in one is remembered in the next. */
let at = now;
beforeEach(() => {
  day += 1;
  at = minutesAfter(day * 100 * 60);
  clockAt(at);
  secrets.clear();
  networks().clearAll();
  networks().calls.length = 0;
  queues.sent.length = 0;
});
afterEach(() => setClock());

const later = (minutes: number): string => {
  const time = minutesAfter(minutes, at);
  clockAt(time);
  return time;
};
const seed = (change = {}) => seedAlert(minutesAfter(-60, at), change);
const answered = async (update: object = resolved, change = {}) => {
  const { alertId } = await seed(change);
  expect(await answer(alertId, { ...update }, at)).toBe(true);
  return alertId;
};
const tell = (alertIds: readonly number[], time = at) =>
  tellA(sqsEvent(alertIds.map((alertId) => ({ alertId, at: time }))));
const none = { batchItemFailures: [] };

describe('a batch', () => {
  it('is one read of alerts, one of outcomes, one call of the provider and two writes for each', async () => {
    const alertIds = await Promise.all(Array.from({ length: 25 }, () => answered()));
    const table = watchTable();
    expect(await tell(alertIds)).toEqual(none);
    const count = (name: string) => table.calls.filter((call) => call === name).length;
    expect(table.writes()).toHaveLength(50);
    expect([count('BatchGetCommand'), count('PutCommand'), count('TransactWriteCommand')]).toEqual([2, 25, 25]);
    expect(table.actions).toEqual(grantedActions(tellProviderAWorker.grants));
    table.stop();
    expect(networks().calls).toHaveLength(1);
    for (const alertId of alertIds) expect((await outcomeAt(alertId)).state).toBe('ACCEPTED');
  });

  it('names a case to the network as the network does, although the name is stored masked', async () => {
    process.env['ENCRYPTION_SECRET_ID'] = 'encryption';
    secrets.set('encryption', '{"current":"k1","k1":"the encryption secret of this test"}');
    const [card, first] = ['CASEABCD-4242420000061234', 'CASEABCD-4242420000141234'];
    const earlier = await seed(await toStoredCaseName('provider_a', first));
    const duplicate = { ...resolved, status: 'DECLINED', reason_code: '940.002' };
    const details = { tx_details: [{ duplicate_alertid: earlier.alertId }] };
    const alertId = await answered({ ...duplicate, ...details }, await toStoredCaseName('provider_a', card));
    expect((await outcomeAt(alertId)).caseId).toMatch(/^CASEABCD-424242[*]{6}1234~/);
    await tell([alertId]);
    const [said] = networks().listTold('provider_a');
    expect(said).toMatchObject({ caseId: card, accepted: true });
    expect(JSON.stringify(said)).toContain(first);
  });

  it('sends a repeated outcome once', async () => {
    const alertId = await answered();
    await tell([alertId, alertId, alertId]);
    expect(networks().listTold('provider_a')).toHaveLength(1);
    await tell([alertId]);
    expect(networks().calls).toHaveLength(1);
  });

  it('fails by the message: a bad one harms no other', async () => {
    const alertId = await answered();
    const event = sqsEvent(['{', { alertId: 'x' }, { alertId, at }, { alertId: 5, at }]);
    expect(await tellA(event)).toEqual({
      batchItemFailures: [{ itemIdentifier: 'message-0' }, { itemIdentifier: 'message-1' }],
    });
    expect((await outcomeAt(alertId)).state).toBe('ACCEPTED');
  });

  it('that came before its time goes on waiting, as long as a message can', async () => {
    const alertId = await answered();
    await tell([alertId], minutesAfter(90, at));
    expect(networks().calls).toEqual([]);
    expect(queues.sent).toMatchObject([
      { queue: 'outcome-a', body: { alertId, at: minutesAfter(90, at) }, delay: 600 },
    ]);
  });

  it('of a sweep waits for what is due a little later', async () => {
    secrets.set('outcome-provider-a', '{"current":"k1"}');
    const alertId = await answered();
    await tell([alertId]);
    expect(await tellA(sqsEvent([{ alertId }]))).toEqual(none);
    expect(queues.take('outcome-a')).toMatchObject([{ alertId, at: (await outcomeAt(alertId)).lateAt }]);
    // A message that waited for something else adds none.
    await tell([alertId]);
    expect(queues.take('outcome-a')).toEqual([]);
  });

  it('that comes less than a second early does what was due at its time', async () => {
    const alertId = await answered();
    networks().hurt('provider_a', { status: 503, times: 1 });
    await tell([alertId]);
    const { nextAttemptAt } = await outcomeAt(alertId);
    clockAt(iso(Date.parse(nextAttemptAt ?? '') - 500));
    await tell([alertId], nextAttemptAt ?? '');
    expect((await outcomeAt(alertId)).state).toBe('ACCEPTED');
  });

  it('has nothing to do for an unknown alert, or for one without outcomes', async () => {
    const { alertId } = await seed();
    expect(await tell([1, alertId])).toEqual(none);
    expect(networks().calls).toEqual([]);
  });

  it('is sent once by two workers', async () => {
    const alertId = await answered();
    expect(await Promise.all([tell([alertId]), tell([alertId])])).toEqual([none, none]);
    expect(networks().listTold('provider_a')).toHaveLength(1);
  });

  it('may be about more outcomes than one read returns', async () => {
    const alertIds = [await answered(inProgress), await answered(inProgress)];
    for (const alertId of alertIds) {
      const first = await outcomeAt(alertId);
      for (let number = 2; number <= 60; number += 1) {
        const id = first.id.replace(/1$/, String(number));
        await putItem(toOutcomeItem({ ...first, id, number }));
      }
      await updateItem({
        Key: keys.alert(alertId),
        UpdateExpression: 'SET alert.outcomes = :count',
        ExpressionAttributeValues: { ':count': 60 },
      });
    }
    const lines = await readLines(alertIds);
    for (const alertId of alertIds) {
      expect(lines.get(alertId)?.outcomes.map(({ number }) => number)).toEqual(
        Array.from({ length: 60 }, (_, index) => index + 1),
      );
    }
  });

  it('names the refund that the merchant made elsewhere to the network', async () => {
    const alertId = await answered();
    const outcome = await outcomeAt(alertId);
    const refunded_elsewhere = { date: at, reference: 'ELSEWHERE7' };
    await putItem(toOutcomeItem({ ...outcome, update: { ...outcome.update, refunded_elsewhere } }));
    await tell([alertId]);
    const [told] = networks().listTold('provider_a');
    expect(told?.body).toMatchObject({ refund: { transactionId: 'ELSEWHERE7' } });
  });

  it('is redelivered if the table fails', async () => {
    const alertId = await answered();
    const spy = vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockRejectedValueOnce(new Error('throttled'));
    expect(await tell([alertId])).toEqual({ batchItemFailures: [{ itemIdentifier: 'message-0' }] });
    spy.mockRestore();
    expect(await tell([alertId])).toEqual(none);
    expect((await outcomeAt(alertId)).state).toBe('ACCEPTED');
  });

  it('sends no answer of before its provider took the case back and opened it again', async () => {
    const alertId = await answered();
    const alert = fromAlertItem((await getItem(keys.alert(alertId))) ?? {});
    const sent = { ...alert.providerAlert, providerDate: at };
    await putItem(toAlertItem(withdraw(alert, at)));
    await takeRevision({ alertId, sid: alert.owner?.sid ?? null, isDuplicate: false }, sent);
    expect(await tell([alertId])).toEqual(none);
    expect(networks().calls).toEqual([]);
    expect(await outcomeAt(alertId)).toMatchObject({ state: 'SUPERSEDED', nextAttemptAt: null });
    expect(await answer(alertId, resolved, at)).toBe(true);
    await tell([alertId]);
    expect(await outcomeAt(alertId, 2)).toMatchObject({ state: 'ACCEPTED' });
    expect(networks().calls).toHaveLength(1);
  });

  it("checks again after another process's attempt must have ended", async () => {
    const alertId = await answered();
    const until = minutesAfter(1, at);
    await updateItem({
      Key: keys.outcome((await outcomeAt(alertId)).id),
      UpdateExpression: 'SET lease = :lease ADD #version :one',
      ExpressionAttributeNames: { '#version': 'version' },
      ExpressionAttributeValues: { ':lease': { attemptId: 'another', until }, ':one': 1 },
    });
    await tell([alertId]);
    expect(networks().calls).toEqual([]);
    expect(queues.take('outcome-a')).toMatchObject([{ alertId, at: until }]);
    await tell([alertId], later(1));
    expect((await outcomeAt(alertId)).state).toBe('ACCEPTED');
  });
});

describe('what the provider answers', () => {
  it('is reported to the merchant with the date of the answer', async () => {
    const alertId = await answered();
    later(2);
    await tell([alertId]);
    expect(await statusUpdatesOf(alertId)).toMatchObject([
      { status: 'RESOLVED', merchant_update_on: at, outcome_updated_on: minutesAfter(2, at) },
    ]);
    expect(await readHistory(alertId)).toMatchObject([{ change: { event: 'updated' } }]);
  });

  it('raises an alarm, sends an e-mail to operations and adds to the history if it is a permanent refusal', async () => {
    const alertId = await answered(resolved, { caseId: 'UNKNOWN123456789012345678' });
    const lines = vi.mocked(process.stdout.write).mock.calls;
    const before = lines.length;
    await tell([alertId]);
    const rung = lines.slice(before).filter(([line]) => String(line).includes('"RefusedOutcomes":1'));
    expect(rung).toHaveLength(1);
    expect(lines.slice(before).join()).toContain('"event":"outcome_refused"');
    const { items } = await queryItems({
      IndexName: 'due',
      KeyConditionExpression: 'duePk = :shard AND begins_with(dueSk, :at)',
      ExpressionAttributeValues: { ':shard': await shardOfMail(), ':at': at },
    });
    expect(items.filter(({ entity }) => entity === 'MAIL')).toHaveLength(1);
    expect(await readHistory(alertId)).toMatchObject([
      { change: { event: 'updated' } },
      {
        by: 'provider_a',
        via: 'outcomes',
        change: {
          event: 'provider refused the outcome',
          from: { provider_outcome: 'PENDING' },
          to: { provider_outcome: 'REFUSED', error: expect.stringContaining('ALERT_NOT_FOUND') },
        },
      },
    ]);
  });

  it('is logged, without an alarm about the connection if that works', async () => {
    const alertId = await answered();
    networks().hurt('provider_a', { status: 503, times: 1 });
    const lines = vi.mocked(process.stdout.write).mock.calls;
    const before = lines.length;
    await tell([alertId]);
    const written = lines.slice(before).join();
    expect(written).toMatch(/"event":"outcome_attempt".*"result":"unknown"/);
    expect(written).not.toContain('OutcomeConnectionFailures');
  });

  it('may ask for a pause before the next attempt', async () => {
    const alertId = await answered();
    networks().hurt('provider_a', { status: 429, times: 1, headers: { 'retry-after': '120' } });
    await tell([alertId]);
    expect((await outcomeAt(alertId)).nextAttemptAt).toBe(minutesAfter(2, at));
  });

  it('too late is given up', async () => {
    const alertId = await answered();
    networks().hurt('provider_a', { status: 503 });
    await tell([alertId]);
    later(72 * 60);
    await tell([alertId]);
    expect(await outcomeAt(alertId)).toMatchObject({ state: 'EXPIRED', attemptCount: 1 });
    expect((await readHistory(alertId)).at(-1)).toMatchObject({ change: { event: 'outcome expired' } });
    expect(await statusUpdatesOf(alertId)).toHaveLength(1);
  });

  it('is requested again if it was lost, and counts once', async () => {
    const alertId = await answered();
    networks().hurt('provider_a', { lost: true, times: 1 });
    await tell([alertId]);
    expect(await outcomeAt(alertId)).toMatchObject({ state: 'PENDING', attempts: [{ result: 'unknown' }] });
    later(1);
    await tell([alertId]);
    expect(await outcomeAt(alertId)).toMatchObject({ state: 'ACCEPTED', attemptCount: 2 });
    expect(await statusUpdatesOf(alertId)).toHaveLength(1);
  });
});

it('sends the provider no comment and no amount of an earlier answer in progress with the final answer', async () => {
  const { alertId } = await seed();
  const planned = { alert_outcome_amount: '361.56', alert_outcome_currency: 'USD' };
  await answer(alertId, { ...inProgress, ...planned, comments: 'will be refunded today' }, at);
  await tell([alertId]);
  await answer(alertId, { status: 'DECLINED', reason_code: '902.002' }, at);
  await tell([alertId]);
  const told = networks().listTold('provider_a').at(-1)?.body;
  expect(told).toMatchObject({ outcome: 'NOT_FOUND' });
  expect(JSON.stringify(told)).not.toMatch(/will be refunded|361\.56/);
  const status = (await statusUpdatesOf(alertId)).at(-1);
  expect(status).toMatchObject({ status: 'DECLINED' });
  expect(Object.keys(status ?? {})).not.toContain('comments');
});

it('sends the provider what earlier answers of the same status said, too', async () => {
  const { alertId } = await seed();
  await answer(alertId, { ...inProgress, comments: 'asked the customer' }, at);
  await tell([alertId]);
  await answer(alertId, { ...inProgress, merchant_notes: 'again' }, at);
  await tell([alertId]);
  expect(networks().listTold('provider_a').at(-1)?.body).toMatchObject({ comments: 'asked the customer' });
});

describe('a connection', () => {
  it.each(['null', '17', '"text"', '{}', 'no JSON'])('whose secret is %s is not set up', async (secret) => {
    secrets.set('outcome-provider-a', secret);
    const alertId = await answered();
    await tell([alertId]);
    expect(await outcomeAt(alertId)).toMatchObject({ state: 'MANUAL', attemptCount: 0 });
  });

  it.each([
    ['two keys', {}, true],
    ['a private key alone', { consumer_key: undefined }, false],
    ['a consumer key alone', { private_key: undefined }, false],
  ])('with %s signs its calls only if it has both', async (_, change, isSigned) => {
    secrets.set('outcome-provider-a', networks().secret('provider_a', change));
    await tell([await answered()]);
    const [call] = networks().calls;
    expect(call?.headers['authorization'] !== undefined).toBe(isSigned);
  });

  it('that is not set up leaves it to a person, with one write', async () => {
    secrets.set('outcome-provider-a', '{"current":"k1","k1":"generated"}');
    const alertId = await answered();
    const table = watchTable();
    await tell([alertId]);
    expect(table.writes()).toEqual(['TransactWriteCommand']);
    table.stop();
    expect(await outcomeAt(alertId)).toMatchObject({ state: 'MANUAL', attemptCount: 0 });
    expect(await statusUpdatesOf(alertId)).toMatchObject([{ outcome_updated_on: '' }]);
  });

  it.each([
    ['has a key that is none', { private_key: 'not a key' }],
    ['has a number for a key', { private_key: 481_516_234 }],
    ['has an address that is none', { base_url: 'nowhere' }],
    ['goes over plain http to another machine', { base_url: 'http://network.example' }],
  ])('that %s rings, and keeps all for when it is mended', async (_, change) => {
    secrets.set('outcome-provider-a', networks().secret('provider_a', change));
    const alertId = await answered();
    const lines = vi.mocked(process.stdout.write).mock.calls;
    const before = lines.length;
    expect(await tell([alertId])).toEqual(none);
    expect(await outcomeAt(alertId)).toMatchObject({ state: 'PENDING', attempts: [{ result: 'failed' }] });
    expect(lines.slice(before).filter(([line]) => String(line).includes('OutcomeConnectionFailures'))).toHaveLength(1);
    const written = lines.slice(before).join();
    expect(written).toMatch(/"connection":"outcome-provider-a"|"event":"outcomes_not_sent"/);
    expect(written).not.toMatch(/PRIVATE KEY|481516234/);
    secrets.clear();
    later(6);
    await tell([alertId]);
    expect((await outcomeAt(alertId)).state).toBe('ACCEPTED');
  });

  it('of the other provider is another queue’s and another secret’s', async () => {
    const alertId = await answered(resolved, { provider: 'provider_b', type: 'DISPUTE' });
    expect(await tellB(sqsEvent([{ alertId, at }]))).toEqual(none);
    expect(networks().calls.map(({ name }) => name)).toEqual(['provider_b']);
    expect((await outcomeAt(alertId, 1, 'provider_b')).state).toBe('ACCEPTED');
  });
});

describe('the order', () => {
  it('is kept in one batch: the first now, the next when that is done', async () => {
    const { alertId } = await seed();
    await answer(alertId, { ...inProgress }, at);
    await tell([alertId]);
    await answer(alertId, { ...resolved }, at);
    await tell([alertId]);
    const told = networks().listTold('provider_a');
    expect(told.map(({ outcome }) => outcome)).toEqual(['IN_PROGRESS', 'STOPPED']);
    expect((await statusUpdatesOf(alertId)).map(({ status }) => status)).toEqual(['WIP', 'RESOLVED']);
  });

  it('costs one write for each that is not sent any more', async () => {
    const { alertId } = await seed();
    for (const comments of ['one', 'two', 'three']) await answer(alertId, { ...inProgress, comments }, at);
    await answer(alertId, { ...resolved }, at);
    const table = watchTable();
    await tell([alertId]);
    expect(table.writes()).toEqual(['TransactWriteCommand', 'PutCommand', 'TransactWriteCommand']);
    table.stop();
    expect(
      networks()
        .listTold('provider_a')
        .map(({ outcome }) => outcome),
    ).toEqual(['STOPPED']);
    // The first of the three changed the status; the other two did not.
    expect(await statusUpdatesOf(alertId)).toHaveLength(2);
  });
});

/** Mails have identifiers of their own: any shard may hold one, and only one does in a test's minute. */
const shardOfMail = async (): Promise<string> => {
  for (let shard = 0; shard < dueShards; shard += 1) {
    const { items } = await queryItems({
      IndexName: 'due',
      KeyConditionExpression: 'duePk = :shard AND begins_with(dueSk, :at)',
      ExpressionAttributeValues: { ':shard': duePartition(shard), ':at': at },
    });
    if (items.some(({ entity }) => entity === 'MAIL')) return duePartition(shard);
  }
  throw new Error('No mail is owed');
};
