import { beforeEach, describe, expect, it, vi } from 'vitest';
import { reportsMessage } from '#accounts/auth/users/monthly-report-due.ts';
import { createMail } from '#core/platform/mail/mail.ts';
import { toMailItem } from '#core/platform/mail/mail-row.ts';
import { deleteItem, putItem } from '#core/platform/table/table.ts';
import { dueShards } from '#core/platform/work/due.ts';
import { deadlineDue } from '#disputes/alerts/deadline/deadline-due.ts';
import { holdDue } from '#disputes/alerts/hold-due.ts';
import { handler } from '#jobs/sweep/handler.ts';
import { sweepWorker } from '#jobs/sweep/worker.ts';
import { createDelivery, type Delivery, deliveryIdOf } from '#messaging/webhooks/delivery/delivery.ts';
import { toDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { getDelivery } from '#messaging/webhooks/delivery/delivery-store.ts';
import { transactionDue } from '#payments/transactions/transaction/transaction-due.ts';
import { useTable } from '#test/support/table.ts';
import { clockAt, fakeQueues, grantedActions, sqsEvent, watchTable } from './support.ts';

useTable();
const queues = fakeQueues();
const day = (n: number) => `2026-05-${String(n).padStart(2, '0')}`;

const store = async (n: number, at: string, change: Partial<Delivery> = {}) => {
  const delivery = createDelivery({
    id: deliveryIdOf(n),
    kind: 'new_alert',
    sid: n % 5,
    mid: 1,
    rid: 2,
    alertId: n,
    contentType: '',
    body: '',
    at,
  });
  await putItem(toDeliveryItem({ ...delivery, ...change }));
};

/** Handles sweep messages until none is left; answers how many there were. */
const sweepAll = async (slot: string) => {
  let handled = 0;
  for (let messages: unknown[] = [{ slot }]; messages.length > 0; messages = queues.take('sweep')) {
    const { batchItemFailures } = await handler(sqsEvent(messages));
    expect(batchItemFailures).toEqual([]);
    handled += messages.length;
  }
  return handled;
};
const bySlot = (messages: ReturnType<typeof queues.take>) =>
  Object.fromEntries(messages.map(({ deliveryId, slot }) => [deliveryId, slot]));
const metricsDuring = async (act: () => Promise<unknown>) => {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((line) => Boolean(lines.push(String(line))));
  await act();
  spy.mockRestore();
  const metrics = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'metric');
  return (name: string): number[] => metrics.flatMap((line) => (name in line ? [line[name]] : []));
};

beforeEach(() => {
  queues.sent.length = 0;
  queues.refuse(() => false);
  clockAt('2030-01-01T00:00:00.000Z');
});

describe('a sweep', () => {
  it('spreads over the shards, for the time that the schedule names, whatever the clock says', async () => {
    await handler(sqsEvent([{ slot: `${day(1)}T12:00:00Z` }]));
    expect(queues.take('sweep')).toEqual(
      Array.from({ length: dueShards }, (_, shard) => ({ slot: `${day(1)}T12:00:00.000Z`, shard })),
    );
  });

  it('has the connections looked at that are not looked at yet, once for a slot', async () => {
    queues.take('chargebacks');
    await sweepAll(`${day(1)}T12:00:00.000Z`);
    expect(queues.take('chargebacks')).toEqual([{ looksAfter: null }]);
  });

  it('finds what is due at its slot or before, and nothing later', async () => {
    const slot = `${day(2)}T12:00:00.000Z`;
    await store(1, `${day(1)}T10:00:00.000Z`, { nextAttemptAt: slot });
    await store(2, `${day(1)}T10:00:00.000Z`, { nextAttemptAt: `${day(2)}T00:00:00.000Z` });
    await store(3, `${day(1)}T10:00:00.000Z`, { nextAttemptAt: `${day(3)}T00:00:00.000Z` });
    await store(4, `${day(1)}T10:00:00.000Z`, { state: 'DELIVERED', nextAttemptAt: null });
    await store(5, `${day(1)}T10:00:00.000Z`, {
      state: 'EXPIRED',
      nextAttemptAt: null,
      manualSlot: `${day(2)}T09:00:00.000Z`,
    });
    await sweepAll(slot);
    expect(bySlot(queues.take('delivery'))).toEqual({ ntf_1: slot, ntf_2: slot, ntf_5: slot });
  });

  it('leaves its own slot to those that became due just before it', async () => {
    const at = `${day(4)}T11:59:58.000Z`;
    await store(6, at);
    await sweepAll(`${day(4)}T12:00:00.000Z`);
    expect(bySlot(queues.take('delivery'))).toMatchObject({ ntf_6: at });
  });

  it('sends e-mails and deadlines on their way too', async () => {
    const at = `${day(5)}T11:00:00.000Z`;
    await putItem(toMailItem(createMail({ id: 'eml_1', kind: 'new_alert', sid: 1, mid: 1, alertId: 1, to: [], at })));
    await putItem({ pk: 'ALERT#9', sk: 'ALERT', entity: 'ALERT', id: 9, ...deadlineDue.keys(at, 9) });
    await sweepAll(`${day(5)}T12:00:00.000Z`);
    expect([queues.take('mail'), queues.take('deadline')]).toEqual([
      [reportsMessage(null), { mailId: 'eml_1' }],
      [{ alertId: 9 }],
    ]);
  });

  it('wakes transactions that are due for a check, and holds', async () => {
    const at = `${day(5)}T23:00:00.000Z`;
    const row = ({ kind, keys }: Pick<typeof holdDue, 'kind' | 'keys'>, id: number) => ({
      pk: `${kind}#${id}`,
      sk: kind,
      entity: kind,
      id,
      ...keys(at, id),
    });
    await putItem(row(transactionDue, 4503599627370497));
    await putItem(row(holdDue, 9));
    await sweepAll(`${day(6)}T00:00:00.000Z`);
    const bodies = queues.take('settlement');
    expect(bodies).toHaveLength(2);
    expect(bodies).toEqual(expect.arrayContaining([{ txid: 4503599627370497 }, { alertId: 9 }]));
  });

  it('reports how long the oldest pending delivery of each shard has been due, and that it reached the end', async () => {
    await store(10, `${day(6)}T00:00:00.000Z`, { nextAttemptAt: `${day(6)}T00:00:00.000Z` });
    const metrics = await metricsDuring(() => sweepAll(`${day(6)}T12:00:00.000Z`));
    expect(metrics('SweepCompleted').reduce((sum, part) => sum + part, 0)).toBe(1);
    expect(metrics('OldestPendingDeliverySeconds')).toHaveLength(dueShards);
    expect(Math.max(...metrics('OldestPendingDeliverySeconds'))).toBeGreaterThanOrEqual(12 * 3600);
  });

  it('counts the rows that it finds and those that were already due at the previous slot', async () => {
    const overdue = `${day(8)}T00:00:00.000Z`;
    await putItem({ pk: 'ALERT#31', sk: 'ALERT', entity: 'ALERT', id: 31, ...deadlineDue.keys(overdue, 31) });
    await putItem({
      ...{ pk: 'ALERT#32', sk: 'ALERT', entity: 'ALERT', id: 32 },
      ...deadlineDue.keys(`${day(8)}T00:00:01.000Z`, 32),
    });
    const metrics = await metricsDuring(() => sweepAll(`${day(8)}T12:00:00.000Z`));
    const sum = (name: string) => metrics(name).reduce((total, one) => total + one, 0);
    const before = await metricsDuring(() => sweepAll(`${day(8)}T00:00:00.500Z`));
    const earlier = before('DueRowsSwept').reduce((total, one) => total + one, 0);
    expect(sum('DueRowsSwept')).toBe(earlier + 1);
    expect(sum('DueRowsOverdue')).toBe(earlier);
  });

  it('sends the messages of all other rows before it fails because of a row of an unknown kind', async () => {
    const slot = `${day(7)}T12:00:00.000Z`;
    const at = `${day(7)}T11:00:00.000Z`;
    await putItem({ pk: 'X#8', sk: 'X', entity: 'X', id: 8, duePk: 'DUE#0', dueSk: `${at}#LATER_RELEASE#8` });
    await putItem({ pk: 'X#9', sk: 'X', entity: 'X', id: 9, duePk: 'DUE#0', dueSk: deadlineDue.keys(at, 9).dueSk });
    const { batchItemFailures } = await handler(sqsEvent([{ slot, shard: 0 }]));
    expect(batchItemFailures).toHaveLength(1);
    expect(queues.take('deadline')).toContainEqual({ alertId: 9 });
    expect(queues.take('deadline')).not.toContainEqual({ alertId: 8 });
    await deleteItem({ Key: { pk: 'X#8', sk: 'X' } });
  });

  it('is repeated if SQS does not accept all of its messages', async () => {
    queues.refuse(({ deliveryId }) => deliveryId === 'ntf_10');
    await handler(sqsEvent([{ slot: `${day(6)}T12:00:00.000Z` }]));
    const results = await Promise.all(queues.take('sweep').map((message) => handler(sqsEvent([message]))));
    expect(results.flatMap(({ batchItemFailures }) => batchItemFailures)).toHaveLength(1);
  });
});

it('continues in a new message when a shard has more due rows than one call should read', async () => {
  const slot = '2026-06-01T12:00:00.000Z';
  const rows = Array.from({ length: 2600 }, (_, n) => ({
    pk: `DELIVERY#m${n}`,
    sk: 'DELIVERY',
    entity: 'DELIVERY',
    id: `m${n}`,
    sid: 1,
    duePk: 'DUE#0',
    dueSk: `2026-05-20T00:00:00.000Z#DELIVERY#m${n}`,
  }));
  for (let from = 0; from < rows.length; from += 200)
    await Promise.all(rows.slice(from, from + 200).map((row) => putItem(row)));
  const handled = await sweepAll(slot);
  const found = queues.take('delivery').map(({ deliveryId }) => deliveryId);
  expect(handled).toBe(1 + dueShards + 1);
  expect(new Set(found).size).toBe(found.length);
  expect(rows.filter(({ id }) => !found.includes(id))).toEqual([]);
});

describe('replays of what failed', () => {
  const at = '2030-01-02T10:00:00.000Z';
  const ask = (replays: readonly string[]) => handler(sqsEvent([{ replays, at }]));

  it('are made due once, however often the message arrives', async () => {
    await store(7001, '2030-01-01T00:00:00.000Z', { state: 'EXPIRED', nextAttemptAt: null });
    for (let times = 0; times < 2; times += 1) expect((await ask(['ntf_7001'])).batchItemFailures).toEqual([]);
    expect(await getDelivery('ntf_7001')).toMatchObject({ state: 'EXPIRED', manualSlot: at, version: 2 });
  });

  it('are not made due for what was delivered or tried since, nor for what is gone', async () => {
    const since = {
      id: 'a',
      at,
      slot: at,
      url: null,
      status: 500,
      latencyMilliseconds: 1,
      error: 'http_status',
    } as const;
    await store(7002, '2030-01-01T00:00:00.000Z', { state: 'DELIVERED', nextAttemptAt: null });
    await store(7003, '2030-01-01T00:00:00.000Z', {
      attempts: [{ ...since, response: '', responseTruncated: false, replyUpdate: null }],
    });
    expect((await ask(['ntf_7002', 'ntf_7003', 'ntf_none'])).batchItemFailures).toEqual([]);
    for (const id of ['ntf_7002', 'ntf_7003']) expect(await getDelivery(id)).toMatchObject({ manualSlot: null });
  });
});

it('needs just what it is granted', async () => {
  const watch = watchTable();
  await sweepAll(`${day(1)}T12:00:00.000Z`);
  await store(7004, '2030-01-01T00:00:00.000Z', { state: 'EXPIRED', nextAttemptAt: null });
  watch.stop();
  const more = watchTable();
  await handler(sqsEvent([{ replays: ['ntf_7004'], at: '2030-01-02T10:00:00.000Z' }]));
  more.stop();
  for (const action of more.actions) watch.actions.add(action);
  watch.stop();
  expect(watch.actions).toEqual(grantedActions(sweepWorker.grants));
});
