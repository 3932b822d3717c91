import type { DynamoDBRecord } from 'aws-lambda';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMail } from '#core/platform/mail/mail.ts';
import { toMailItem } from '#core/platform/mail/mail-row.ts';
import type { Item } from '#core/platform/table/table.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { holdDue } from '#disputes/alerts/hold-due.ts';
import { handler } from '#jobs/router/handler.ts';
import {
  askForReplay,
  createDelivery,
  type Delivery,
  deliveryAfterAttempt,
  deliveryIdOf,
} from '#messaging/webhooks/delivery/delivery.ts';
import { toDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';
import { transactionDue } from '#payments/transactions/transaction/transaction-due.ts';
import { toTransactionItem } from '#payments/transactions/transaction/transaction-row.ts';
import { clockAt, fakeQueues, streamRecord } from './support.ts';

const createdAt = '2026-05-02T10:00:00.000Z';
const noon = '2026-05-02T12:00:00.000Z';
const queues = fakeQueues();

const delivery = (n: number, change: Partial<Delivery> = {}): Delivery => ({
  ...createDelivery({
    id: deliveryIdOf(n),
    kind: 'new_alert',
    sid: n % 3,
    mid: 1,
    rid: 2,
    alertId: n,
    contentType: '',
    body: '',
    at: createdAt,
  }),
  ...change,
});
const written = (before: Delivery | undefined, after: Delivery, sequence = 1) =>
  streamRecord(before && toDeliveryItem(before), toDeliveryItem(after), sequence);
const route = async (...records: DynamoDBRecord[]) =>
  (await handler({ Records: records })).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
const failedAt = (owed: Delivery, slot: string) =>
  deliveryAfterAttempt(owed, {
    id: 'a',
    at: slot,
    slot,
    url: null,
    status: null,
    latencyMilliseconds: 0,
    error: 'timeout',
    response: '',
    responseTruncated: false,
    replyUpdate: null,
  });

beforeEach(() => {
  clockAt(createdAt);
  queues.sent.length = 0;
  queues.calls.length = 0;
  queues.refuse(() => false);
});

describe('a delivery', () => {
  it('that is new goes to the queue at once, with its site as the message group', async () => {
    await route(written(undefined, delivery(7)));
    expect(queues.sent).toEqual([
      { queue: 'delivery', body: { deliveryId: 'ntf_7', slot: createdAt, sid: 1 }, group: 'S1' },
    ]);
  });

  it('that is new goes even if the clock that wrote it is ahead', async () => {
    clockAt('2026-05-02T09:59:59.000Z');
    await route(written(undefined, delivery(7)));
    expect(queues.sent).toHaveLength(1);
  });

  it('that was claimed, delivered, or put off until a slot to come does not', async () => {
    const fresh = delivery(7);
    const acquired = { ...fresh, lease: { attemptId: 'a', until: noon } };
    await route(
      written(fresh, acquired),
      written(acquired, failedAt(acquired, createdAt)),
      written(acquired, { ...acquired, state: 'DELIVERED', nextAttemptAt: null, lease: null }),
    );
    expect(queues.sent).toEqual([]);
  });

  it('whose attempt ended after its next slot had passed goes for that slot at once', async () => {
    clockAt('2026-05-02T12:00:09.000Z');
    await route(written(delivery(7), failedAt(delivery(7), createdAt)));
    expect(queues.take('delivery')).toEqual([{ deliveryId: 'ntf_7', slot: noon, sid: 1 }]);
  });

  it('whose attempt ended within a minute of its next slot waits for that in the queue, as the sweep may miss it', async () => {
    const failed = written(delivery(7), failedAt(delivery(7), createdAt));
    clockAt('2026-05-02T11:58:59.000Z');
    await route(failed);
    expect(queues.sent).toEqual([]);
    clockAt('2026-05-02T11:59:30.000Z');
    await route(failed);
    expect(queues.sent).toEqual([
      { queue: 'delivery', body: { deliveryId: 'ntf_7', slot: noon, sid: 1 }, group: 'S1', delay: 30 },
    ]);
  });

  it('of which a replay is asked for goes at once, whatever its state', async () => {
    const done = delivery(7, { state: 'DELIVERED', nextAttemptAt: null });
    await route(written(done, askForReplay(done, noon)));
    expect(queues.take('delivery')).toEqual([{ deliveryId: 'ntf_7', slot: noon, sid: 1 }]);
  });
});

describe('a postback', () => {
  const postback = (change: Partial<Delivery> = {}) =>
    delivery(7, { kind: 'postback', alertId: null, postbackUrl: 'https://m.example/', ...change });
  const message = (slot: string, delay?: number) => ({
    queue: 'delivery',
    body: { deliveryId: 'ntf_7', slot, sid: 1 },
    group: 'S1',
    ...(delay && { delay }),
  });
  const next = '2026-05-02T10:01:00.000Z';

  it('that failed waits for its next slot in the queue', async () => {
    clockAt('2026-05-02T10:00:01.200Z');
    await route(written(postback(), failedAt(postback(), createdAt)));
    expect(queues.sent).toEqual([message(next, 59)]);
  });

  it('waits no longer than a message can in one go', async () => {
    const owed = postback({ nextAttemptAt: '2026-05-02T10:30:00.000Z' });
    await route(written(owed, failedAt(owed, '2026-05-02T10:30:00.000Z')));
    expect(queues.sent).toEqual([message('2026-05-02T11:30:00.000Z', 600)]);
  });

  it('whose next slot has passed goes at once', async () => {
    clockAt('2026-05-02T10:01:00.000Z');
    await route(written(postback(), failedAt(postback(), createdAt)));
    expect(queues.sent).toEqual([message(next)]);
  });

  it('that is claimed, delivered or given up does not', async () => {
    const acquired = postback({ lease: { attemptId: 'a', until: noon } });
    await route(
      written(postback(), acquired),
      written(acquired, postback({ state: 'DELIVERED', nextAttemptAt: null })),
      written(acquired, postback({ state: 'EXPIRED', nextAttemptAt: null })),
    );
    expect(queues.sent).toEqual([]);
  });

  it('keeps its schedule through a replay that failed', async () => {
    const owed = postback({ nextAttemptAt: next });
    const asked = askForReplay(owed, '2026-05-02T10:00:30.000Z');
    clockAt('2026-05-02T10:00:31.000Z');
    await route(written(owed, asked), written(asked, { ...owed, version: 3 }));
    expect(queues.sent).toEqual([message('2026-05-02T10:00:30.000Z'), message(next, 29)]);
  });
});

describe('a transaction that is not final', () => {
  const transaction: Transaction = {
    ...{ txid: 7, parentTxid: 7, sid: 1, mid: 1, rid: 2, action: 'PAYMENT', status: 'PEND' },
    money: { minor: '1000', currency: 'USD' },
    ...{ tid: null, reference: null, refs: [null, null, null, null], descriptor: null },
    ...{
      processor: 'sandbox',
      routeId: null,
      processorReference: null,
      idempotencyKey: 'k',
      arn: null,
      authCode: null,
    },
    ...{ error: null, nextAction: null, card: null, email: null, postbackUrl: null, conversion: null, fraud: null },
    ...{ alertId: null, nextCheckAt: null, checks: 0, createdAt, updatedAt: createdAt, version: 1 },
  };
  const row = (nextCheckAt: string | null): Item => toTransactionItem({ ...transaction, nextCheckAt });
  const settlements = async (before: Item | undefined, after: Item | undefined) => {
    await route(streamRecord(before, after));
    return queues.sent.splice(0);
  };
  const message = (slot: string, delay?: number) => [
    { queue: 'settlement', body: { txid: 7, slot }, group: undefined, ...(delay && { delay }) },
  ];
  const soon = '2026-05-02T10:01:00.000Z';

  it('is checked when it is due, or on the way there', async () => {
    expect(await settlements(undefined, row(soon))).toEqual(message(soon, 60));
    expect(await settlements(row(soon), row(noon))).toEqual(message(noon, 600));
    expect(await settlements(row(noon), row(createdAt))).toEqual(message(createdAt));
  });

  it('is not when that stays as it was, or it has become final', async () => {
    expect(await settlements(row(soon), { ...row(soon), summary: {} })).toEqual([]);
    expect(await settlements(row(soon), row(null))).toEqual([]);
    expect(await settlements(row(soon), undefined)).toEqual([]);
    expect(await settlements(undefined, row(null))).toEqual([]);
  });
});

describe('a settlement that came before its time', () => {
  it('is sent on, as far as a message can wait', async () => {
    await sendOrThrow([
      transactionDue.message({ txid: 7 }, { at: '2026-05-02T10:00:42.000Z' }),
      holdDue.message({ alertId: 8 }, { at: noon }),
      transactionDue.message({ txid: 9 }, { at: createdAt }),
    ]);
    expect(queues.sent).toEqual([
      { queue: 'settlement', body: { txid: 7 }, group: undefined, delay: 42 },
      { queue: 'settlement', body: { alertId: 8 }, group: undefined, delay: 600 },
      { queue: 'settlement', body: { txid: 9 }, group: undefined },
    ]);
  });

  it('fails and is redelivered if SQS does not accept its message', async () => {
    queues.refuse(() => true);
    await expect(sendOrThrow([transactionDue.message({ txid: 7 })])).rejects.toThrow('SQS did not take');
  });
});

describe('a hold of a dispute', () => {
  const hold: Item = { entity: 'HOLD', id: 7, dueSk: `${createdAt}#HOLD#7` };
  const message = [{ queue: 'settlement', body: { alertId: 7 }, group: undefined }];

  it('is looked at when it is new, and not with each change', async () => {
    await route(streamRecord(undefined, hold));
    expect(queues.sent.splice(0)).toEqual(message);
    await route(streamRecord(hold, { ...hold, txids: [8] }), streamRecord(hold, undefined));
    expect(queues.sent).toEqual([]);
  });

  it('has its alert’s order looked for once its payment is known', async () => {
    const held = { ...hold, hold: { alertId: 7, since: createdAt, txid: 8, txids: [], version: 2 } };
    await route(streamRecord(hold, held), streamRecord(held, { ...held, hold: { ...held.hold, version: 3 } }));
    expect(queues.sent.splice(0)).toEqual([{ queue: 'lookups', body: { alertId: 7 }, group: undefined }]);
  });

  it('is checked when its alert gets an outcome, in addition to the deadline', async () => {
    const open: Item = { entity: 'ALERT', id: 7, open: true, alert: { deadlineAt: noon } };
    await route(streamRecord(open, { ...open, open: false }));
    expect(queues.take('settlement')).toEqual([{ alertId: 7 }]);
    expect(queues.take('deadline')).toEqual([{ alertId: 7 }]);
  });
});

describe('an alert that looks for its order', () => {
  const search: Item = { entity: 'ALERT_ORDER', id: 7, dueSk: `${createdAt}#ALERT_ORDER#7` };

  it('is checked when it becomes due, and not with each change', async () => {
    const { dueSk, ...settled } = search;
    await route(streamRecord(undefined, search), streamRecord(search, { ...search, version: 2 }));
    expect(queues.sent.splice(0)).toEqual([{ queue: 'lookups', body: { alertId: 7 }, group: undefined }]);
    await route(streamRecord(search, settled), streamRecord(settled, search));
    expect(queues.sent).toEqual([{ queue: 'lookups', body: { alertId: 7 }, group: undefined }]);
  });
});

describe('an e-mail', () => {
  const mail = createMail({
    id: 'eml_7',
    kind: 'new_alert',
    sid: 1,
    mid: 1,
    alertId: 7,
    to: ['a@m.example'],
    at: createdAt,
  });

  it('that is new goes to the mail queue, and once sent does not', async () => {
    await route(streamRecord(undefined, toMailItem(mail)));
    await route(streamRecord(toMailItem(mail), toMailItem({ ...mail, state: 'SENT' })));
    expect(queues.sent).toEqual([{ queue: 'mail', body: { mailId: 'eml_7' }, group: undefined }]);
  });
});

it('is redelivered if one of two messages of a record is not accepted', async () => {
  const open: Item = { entity: 'ALERT', id: 7, open: true, alert: { deadlineAt: noon } };
  queues.refuse(({ alertId }) => alertId === 7);
  expect(await route(streamRecord(open, { ...open, open: false }, 3))).toEqual(['3']);
});

describe("an alert's deadline", () => {
  const deadline = { deadlineAt: '2026-05-05T10:00:00.000Z', deadlinePassed: false };
  const alert: Item = {
    pk: 'ALERT#7',
    sk: 'ALERT',
    entity: 'ALERT',
    id: 7,
    open: true,
    alert: deadline,
  };
  const deadlineMessages = async (before: Item | undefined, after: Item) => {
    await route(streamRecord(before, after));
    return queues.take('deadline');
  };

  it('is looked at when the alert is new, gets its outcome, is opened again or passes its deadline', async () => {
    const message = [{ alertId: 7 }];
    expect(await deadlineMessages(undefined, alert)).toEqual(message);
    expect(await deadlineMessages(alert, { ...alert, open: false })).toEqual(message);
    expect(await deadlineMessages({ ...alert, open: false }, alert)).toEqual(message);
    expect(await deadlineMessages(alert, { ...alert, alert: { ...deadline, deadlinePassed: true } })).toEqual(message);
  });

  it('is looked at when the alert leaves the inbox', async () => {
    expect(await deadlineMessages({ ...alert, entity: 'UNMATCHED' }, alert)).toEqual([{ alertId: 7 }]);
  });

  it('is not when nothing of it changes, or the alert has none', async () => {
    const without = { ...alert, alert: { ...deadline, deadlineAt: null } };
    expect(await deadlineMessages(alert, { ...alert, summary: { status: 'WIP' } })).toEqual([]);
    expect(await deadlineMessages(undefined, without)).toEqual([]);
    expect(await deadlineMessages({ ...without, open: false }, without)).toEqual([]);
  });
});

describe('a batch of a hundred', () => {
  const records = Array.from({ length: 100 }, (_, n) => written(undefined, delivery(n + 1), n + 1));

  it('is sent in ten calls of ten', async () => {
    expect(await route(...records)).toEqual([]);
    expect(queues.calls).toEqual(Array(10).fill(10));
    expect(new Set(queues.sent.map(({ body }) => body['deliveryId'])).size).toBe(100);
  });

  it('is redelivered from the first record whose message SQS did not accept', async () => {
    queues.refuse(({ deliveryId }) => deliveryId === 'ntf_63' || deliveryId === 'ntf_42');
    expect(await route(...records)).toEqual(['42']);
    expect(queues.sent).toHaveLength(98);
  });

  it('of records that call for nothing makes no call', async () => {
    await route(streamRecord(toDeliveryItem(delivery(1)), undefined), streamRecord(undefined, { entity: 'OTHER' }));
    expect(queues.calls).toEqual([]);
  });
});
