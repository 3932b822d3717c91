import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { handler } from '#jobs/settle/handler.ts';
import type { QueryOutcome } from '#payments/processors/ports/processor.ts';
import { fromNewsItem, newsItem } from '#payments/transactions/settlement/news-row.ts';
import { readKnown, recordProcessorResult } from '#payments/transactions/transaction/transaction-store.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { beforeTransactions, useOperations } from '#test/support/operations.ts';
import { settle as settleNow } from '#test/support/settle.ts';
import { newShop, pay } from './shop.ts';
import { advance, advanceUntilDecided, fakeProcessor, ledgerAt, paymentAt, useSandbox } from './support.ts';

useOperations();
useSandbox();

let shop: Tenant;
let sent: { body: unknown; delay: number | undefined }[];
beforeAll(async () => {
  process.env['SETTLEMENT_QUEUE_URL'] = 'https://sqs.example.com/settlement';
  shop = await newShop();
});
beforeEach(() => {
  sent = [];
  mockClient(SQSClient)
    .on(SendMessageBatchCommand)
    .callsFake(({ Entries = [] }: { Entries?: { MessageBody: string; DelaySeconds?: number }[] }) => {
      sent.push(...Entries.map((one) => ({ body: JSON.parse(one.MessageBody), delay: one.DelaySeconds })));
      return { Successful: [], Failed: [] };
    });
});

const record = (body: unknown, messageId: string) =>
  ({ messageId, body: JSON.stringify(body), attributes: { ApproximateReceiveCount: '1' } }) as SQSEvent['Records'][0];
const settle = (...bodies: unknown[]) => handler({ Records: bodies.map((body, index) => record(body, String(index))) });

describe('settling', () => {
  it('finds what was lost once its time has come, and sends early messages on', async () => {
    const { txid } = await pay(shop, '10.62');
    const { nextCheckAt: slot } = await paymentAt(txid);
    await settle({ txid, slot });
    expect(sent).toEqual([{ body: { txid, slot }, delay: expect.any(Number) }]);
    // After a check that was moved, and a sweep that was overtaken: the message of the new check is on its way.
    await settle({ txid, slot: new Date(0).toISOString() }, { txid });
    expect(sent).toHaveLength(1);
    expect((await paymentAt(txid)).status).toBe('PEND');
    advanceUntilDecided();
    expect(await settle({ txid }, { txid }, { txid })).toEqual({ batchItemFailures: [] });
    expect(await paymentAt(txid)).toMatchObject({ status: 'OK', nextCheckAt: null, nextAction: null });
    expect(await ledgerAt(txid)).toMatchObject({ captured: 1062n, inFlight: {} });
    // A final transaction is not queried any more.
    const { version } = await paymentAt(txid);
    await settle({ txid });
    expect((await paymentAt(txid)).version).toBe(version);
    expect(sent).toHaveLength(1);
  });

  it('asks immediately after a report of an event', async () => {
    const { txid } = await pay(shop, '10.62');
    await settle({ txid, told: true });
    expect((await paymentAt(txid)).status).toBe('OK');
  });

  it('waits for the payer as long as the processor does, ever less often', async () => {
    const { txid } = await pay(shop, '10.63');
    const delays: number[] = [];
    for (let check = 0; check < 4; check += 1) {
      const { nextCheckAt, updatedAt } = await paymentAt(txid);
      delays.push(Date.parse(String(nextCheckAt)) - Date.parse(updatedAt));
      advance(delays.at(-1) ?? 0);
      await settle({ txid });
    }
    expect(delays).toEqual([1, 1, 3, 10].map((minutes) => minutes * milliseconds.minute));
    expect(await paymentAt(txid)).toMatchObject({ status: 'PEND', nextAction: { type: 'redirect' } });
    for (let check = 0; check < 2; check += 1) {
      const { nextCheckAt } = await paymentAt(txid);
      advance(Date.parse(String(nextCheckAt)) - nowMilliseconds());
      await settle({ txid });
    }
    const ended = await paymentAt(txid);
    expect(ended).toMatchObject({ status: 'EXC', error: { code: 'authentication_abandoned' } });
    expect(Date.parse(ended.updatedAt) - Date.parse(ended.createdAt)).toBeLessThan(61 * milliseconds.minute);
  });

  it('tells the operator of an answer that contradicts what is final, and of no other', async () => {
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const [made, failed] = [await pay(shop, '10.00'), await pay(shop, '10.00', { card_no: '4000000000000002' })];
    const tell = async ({ txid }: { txid: number }, outcome: QueryOutcome) => {
      written.mockClear();
      await recordProcessorResult(await readKnown({ txid, parentTxid: txid }), outcome, 'an rcode');
      return written.mock.calls.some(([line]) => String(line).includes('"outcome_contradicts"'));
    };
    const [ok, notFound] = [{ outcome: 'OK', reference: 'r' } as const, { outcome: 'NOT_FOUND' } as const];
    const told = [
      await tell(made, ok),
      await tell(made, notFound),
      await tell(failed, ok),
      await tell(failed, notFound),
    ];
    written.mockRestore();
    expect(told).toEqual([false, true, true, false]);
    expect((await paymentAt(failed.txid)).status).toBe('EXC');
  });

  it('asks once more about a failed one after a report, for an operator must know if it did not fail', async () => {
    const { txid } = await pay(shop, '10.00', { card_no: '4000000000000002' });
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const query = vi.fn(async () => ({ outcome: 'OK', reference: 'r' }) as const);
    const means = { processorFor: async () => fakeProcessor({ query }) };
    await settleNow({ txid }, means);
    expect(query).not.toHaveBeenCalled();
    await settleNow({ txid, told: true }, means);
    const lines = written.mock.calls.map(([line]) => String(line)).join('');
    expect(lines).toContain('"outcome_contradicts"');
    // The alarm's.
    expect(lines).toContain('"ContradictedOutcomes":1');
    written.mockRestore();
    expect(await paymentAt(txid)).toMatchObject({ status: 'EXC', version: 2 });
  });

  it('asks again where there is no answer about a refund that is recorded as done meanwhile: it may have been returned', async () => {
    const { txid } = await pay(shop, '10.61');
    const query = vi.fn(async () => {
      await recordProcessorResult(
        await readKnown({ txid, parentTxid: txid }),
        { outcome: 'OK', reference: 'r' },
        'an rcode',
      );
      return { outcome: 'UNKNOWN', detail: 'no answer' } as const;
    });
    const at = nowIso();
    await putItem(newsItem({ txid, toldAt: at, at, tries: 0 }));
    await settleNow({ txid, told: true }, { processorFor: async () => fakeProcessor({ query }) });
    expect((await paymentAt(txid)).status).toBe('OK');
    expect(fromNewsItem(await getItem(keys.transactionNews(txid)))).toMatchObject({ txid, tries: 1 });
  });

  it('keeps what the payer has to do where the processor does not say it again', async () => {
    const { txid } = await pay(shop, '10.63');
    const { nextAction, processorReference } = await paymentAt(txid);
    const reference = String(processorReference);
    const processor = fakeProcessor({
      query: async () => ({ outcome: 'PEND', reference }),
    });
    await settleNow({ txid, told: true }, { processorFor: async () => processor });
    expect(await paymentAt(txid)).toMatchObject({ status: 'PEND', nextAction, checks: 2 });
  });

  it('gives back only the message that failed', async () => {
    const [first, second] = [await pay(shop, '10.62'), await pay(shop, '10.62')];
    advanceUntilDecided();
    beforeTransactions(async ({ TransactItems = [] }) => {
      if (TransactItems.some(({ Put }) => Put?.Item?.['id'] === second.txid)) throw new Error('DynamoDB is down');
    });
    expect(await settle({ txid: first.txid }, { txid: second.txid }, { strange: true })).toEqual({
      batchItemFailures: [{ itemIdentifier: '1' }, { itemIdentifier: '2' }],
    });
    beforeTransactions();
    expect((await paymentAt(first.txid)).status).toBe('OK');
    expect(await settle({ txid: second.txid })).toEqual({ batchItemFailures: [] });
    expect((await paymentAt(second.txid)).status).toBe('OK');
  });

  it('does nothing for a number that is in no use, and for an alert that holds nothing', async () => {
    expect(await settle({ txid: 5 }, { alertId: 5 })).toEqual({ batchItemFailures: [] });
  });

  it('asks by what is known: the reference of the operation, its key, when it was begun', async () => {
    const { txid } = await pay(shop, '10.61');
    advanceUntilDecided();
    const query = vi.fn(async () => ({ outcome: 'NOT_FOUND' }) as const);
    await settleNow({ txid }, { processorFor: async () => fakeProcessor({ query }) });
    const { idempotencyKey, processorReference, createdAt, error, status } = await paymentAt(txid);
    expect(query).toHaveBeenCalledExactlyOnceWith({
      kind: 'pay',
      ...{ txid, idempotencyKey, reference: processorReference, paymentReference: processorReference },
      money: { minor: 1061n, currency: 'USD' },
      startedAt: createdAt,
    });
    expect({ status, code: error?.code }).toEqual({ status: 'EXC', code: 'not_found_at_processor' });
    expect((await ledgerAt(txid)).inFlight).toEqual({});
  });
});
