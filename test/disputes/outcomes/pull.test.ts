import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { milliseconds, nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { ingestMessage } from '#disputes/alerts/intake/ingest-store.ts';
import { handler as pull } from '#disputes/outcomes/jobs/pull-provider-a/handler.ts';
import { ethocaAlert } from '#test/disputes/providers/ethoca.ts';
import { clockAt, sqsEvent } from '#test/messaging/support.ts';
import { untilKilled, useMortality } from '#test/payments/transactions/killed-process.ts';
import { ask, useOperations } from '#test/support/operations.ts';
import { networks, secrets, useNetworks } from './fixture.ts';

useOperations();
useNetworks();
useMortality();

/** Each test runs on a different day, on which earlier pauses and cached secrets have expired. */
let day = Date.parse('2026-09-01T10:00:00.000Z');
beforeEach(() => {
  day += milliseconds.day;
  clockAt(new Date(day).toISOString());
  networks().clear('provider_a');
  networks().calls.length = 0;
});
afterEach(() => {
  secrets.clear();
  setClock();
});

const pullNow = () => pull(sqsEvent([{ slot: new Date(nowMilliseconds()).toISOString() }]));
const later = (time: number) => clockAt(new Date(nowMilliseconds() + time).toISOString());
const offer = (count: number) => {
  const alerts = Array.from({ length: count }, () => ethocaAlert());
  for (const alert of alerts) networks().offer('provider_a', alert);
  return alerts;
};
const isStored = async (alertId: string) => (await getItem(keys.providerCase('provider_a', alertId))) !== undefined;
const acknowledged = () =>
  networks()
    .calls.filter(({ path }) => path.endsWith('/alerts/acknowledges'))
    .flatMap(({ body }) => (JSON.parse(body) as { acknowledges: { alertId: string }[] }).acknowledges)
    .map(({ alertId }) => alertId);
const callsSoFar = () => networks().calls.map(({ method, path }) => `${method} ${path.replace('/provider_a', '')}`);
const failuresDuring = async (work: () => Promise<unknown>): Promise<number> => {
  const writes = vi.mocked(process.stdout.write);
  const before = writes.mock.calls.length;
  await work();
  return writes.mock.calls.slice(before).filter(([line]) => String(line).includes('"AlertPullsFailed":1')).length;
};

describe('fetching alerts from provider_a', () => {
  it('stores each alert and then acknowledges it, 25 in a request, until there are no more', async () => {
    const alerts = offer(27);
    await pullNow();
    expect(callsSoFar()).toEqual([
      ...['GET /alerts?size=25', 'POST /alerts/acknowledges'],
      ...['GET /alerts?size=25', 'POST /alerts/acknowledges'],
    ]);
    expect(await Promise.all(alerts.map(({ alertId }) => isStored(alertId)))).not.toContain(false);
    await pullNow();
    expect(callsSoFar().slice(4)).toEqual(['GET /alerts?size=25']);
  });

  it('stores an alert once that is sent as well', async () => {
    const [sent] = offer(1);
    const pushed = await ingestMessage('provider_a', sent);
    await pullNow();
    expect(acknowledged()).toEqual([sent?.alertId]);
    expect(await ingestMessage('provider_a', sent)).toEqual(pushed);
  });

  it('acknowledges nothing that a killed run did not store, wherever it is killed, and the next run does the rest', async () => {
    let hasDied = true;
    for (let dieAt = 1; hasDied; dieAt += 1) {
      for (const how of ['before', 'after'] as const) {
        const alerts = offer(3);
        later(milliseconds.hour);
        hasDied = await untilKilled(dieAt, how, pullNow);
        expect(await Promise.all(acknowledged().map(isStored))).not.toContain(false);
        later(milliseconds.hour);
        await pullNow();
        for (const { alertId } of alerts) expect(await isStored(alertId)).toBe(true);
        expect(new Set(acknowledged())).toEqual(new Set(alerts.map(({ alertId }) => alertId)));
        networks().clear('provider_a');
        networks().calls.length = 0;
      }
    }
  });

  it('acknowledges again what it stored if the acknowledgement did not arrive', async () => {
    const [sent] = offer(1);
    networks().answerWith(200, JSON.stringify({ alerts: [sent] }), { 'content-type': 'application/json' });
    networks().answerWith(503, '{}');
    expect(await failuresDuring(pullNow)).toBe(1);
    expect(await isStored(sent?.alertId ?? '')).toBe(true);
    later(milliseconds.minute);
    await pullNow();
    expect(acknowledged()).toEqual([sent?.alertId, sent?.alertId]);
  });

  it('keeps an alert that it cannot read in the quarantine, acknowledges it, and stores the others', async () => {
    const strange = ethocaAlert({ alertType: 'UNHEARDOF' });
    networks().offer('provider_a', strange);
    const [other] = offer(1);
    await pullNow();
    const { list } = (await ask('alerts/list-quarantine', { body: { state: 'OPEN' } })).body as { list: object[] };
    expect(list).toMatchObject([{ provider: 'provider_a', problems: expect.stringContaining('type: ') }]);
    expect(acknowledged()).toEqual([strange.alertId, other?.alertId]);
  });

  it('acknowledges the others where an alert has no text as its number', async () => {
    networks().offer('provider_a', { ...ethocaAlert(), alertId: 12_345 });
    const [other] = offer(1);
    expect(await failuresDuring(pullNow)).toBe(0);
    expect(acknowledged()).toEqual([other?.alertId]);
  });

  it('waits twice as long after each failure, 15 minutes at most, and counts each minute for the alarm', async () => {
    networks().hurt('provider_a', { status: 503 });
    let minutes = 0;
    const attempts: number[] = [];
    for (let seen = 0; minutes < 50; minutes += 1) {
      expect(await failuresDuring(pullNow)).toBe(1);
      if (networks().calls.length > seen) attempts.push(minutes);
      seen = networks().calls.length;
      later(milliseconds.minute);
    }
    expect(attempts).toEqual([0, 1, 3, 7, 15, 30, 45]);
    networks().clear('provider_a');
    later(milliseconds.hour);
    expect(await failuresDuring(pullNow)).toBe(0);
  });

  it('tries again in the next minute, even if that begins a few seconds early', async () => {
    networks().hurt('provider_a', { status: 503, times: 1 });
    const lines = vi.mocked(process.stdout.write).mock.calls;
    const before = lines.length;
    await pullNow();
    expect(lines.slice(before).join()).toContain('"event":"alert_pull_failed"');
    later(54 * milliseconds.second);
    await pullNow();
    expect(networks().calls).toHaveLength(1);
    later(milliseconds.second);
    await pullNow();
    expect(networks().calls).toHaveLength(2);
  });

  it('acknowledges nothing that could not be stored, and counts a failure', async () => {
    const [alert] = offer(1);
    const send = vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockRejectedValue(new Error('throttled'));
    const lines = vi.mocked(process.stdout.write).mock.calls;
    const before = lines.length;
    expect(await failuresDuring(pullNow)).toBe(1);
    expect(lines.slice(before).join()).toContain('"event":"pulled_alert_not_stored"');
    send.mockRestore();
    expect(acknowledged()).toEqual([]);
    later(milliseconds.minute);
    expect(await failuresDuring(pullNow)).toBe(0);
    expect(acknowledged()).toEqual([alert?.alertId]);
  });

  it('fetches 200 alerts at most in a minute', async () => {
    offer(201);
    await pullNow();
    expect(acknowledged()).toHaveLength(200);
    later(milliseconds.minute);
    await pullNow();
    expect(acknowledged()).toHaveLength(201);
  });

  it('asks once for alerts of which none can be acknowledged', async () => {
    for (let count = 0; count < 25; count += 1) networks().offer('provider_a', { ...ethocaAlert(), alertId: 12_345 });
    await pullNow();
    expect(callsSoFar()).toHaveLength(1);
  });

  it('waits as long as the network asks for', async () => {
    networks().hurt('provider_a', { status: 429, times: 1, headers: { 'retry-after': '180' } });
    await pullNow();
    for (const calls of [1, 1, 2]) {
      later(milliseconds.minute);
      await pullNow();
      expect(networks().calls).toHaveLength(calls);
    }
  });

  it.each(['{"current":"k1","k1":"x"}', 'not JSON'])('counts a failure if its connection is %s', async (secret) => {
    secrets.set('outcome-provider-a', secret);
    expect(await failuresDuring(pullNow)).toBe(1);
    expect(networks().calls).toEqual([]);
  });

  it('may come up to two minutes late', async () => {
    await pull(sqsEvent([{ slot: new Date(nowMilliseconds() - 2 * milliseconds.minute).toISOString() }]));
    expect(networks().calls).toHaveLength(1);
  });

  it('leaves out minutes that are long past', async () => {
    await pull(sqsEvent([{ slot: new Date(nowMilliseconds() - milliseconds.hour).toISOString() }]));
    expect(networks().calls).toEqual([]);
  });

  it.each(['[{"no":"list"', '{"alerts":{}}', '"alerts"'])('counts a failure for the answer %s', async (body) => {
    networks().answerWith(200, body);
    expect(await failuresDuring(pullNow)).toBe(1);
  });
});
