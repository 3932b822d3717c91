import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { putItem, transact } from '#core/platform/table/table.ts';
import { afterAnswer, newAlertRefund, refundWithLease } from '#disputes/refunds/refund.ts';
import { changedRefundWrite, type RefundRow } from '#disputes/refunds/refund-row.ts';
import { leaseRefund, readAlertRefund, recordRefund } from '#disputes/refunds/refund-store.ts';
import { useTable } from '#test/support/table.ts';

useTable();

const at = '2026-05-02T10:00:00.000Z';
const charge = {
  payment_gateway_reference: 'ch_1',
  payment_gateway_reference2: '',
  payment_gateway_tx_type: 'charge',
  payment_gateway_transaction_date: '2026-05-01T08:00:00.000Z',
};
let alertId = 100;
/** A refund that one call has leased. */
const seedLeased = async (): Promise<RefundRow> => {
  alertId += 1;
  const wanted = {
    ...{ alertId, sid: 3, mid: 2, connection: 'con_1', reference: 'ch_1', charge, amount: '19.99', currency: 'USD' },
    ...{ isSettled: true, reason: 'fraud' as const, answer: null, by: 'root' },
  };
  const row = { refund: newAlertRefund(wanted, undefined, at), begun: null };
  const leased = { ...row, refund: refundWithLease(row.refund, 'first', at) };
  const { Put } = changedRefundWrite(row.refund, leased);
  await putItem(Put?.Item ?? {});
  return leased;
};
const failed = (row: RefundRow): RefundRow => ({
  ...row,
  refund: afterAnswer(row.refund, { outcome: 'EXC', code: 'card_declined', reference: null }, at),
});
const none = async () => [];

describe('the result of asking for a refund', () => {
  let lines: { event: string }[] = [];
  beforeEach(() => {
    lines = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
      lines.push(JSON.parse(String(line)));
      return true;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is recorded with what belongs to it', async () => {
    const before = await seedLeased();
    expect(await recordRefund(before, failed(before), none)).toEqual(failed(before));
    expect((await readAlertRefund(before.refund.alertId))?.refund).toMatchObject({ state: 'failed', lease: null });
    expect(lines).toEqual([]);
  });

  it('counts as recorded when this call has written it and the answer was lost', async () => {
    const before = await seedLeased();
    await recordRefund(before, failed(before), none);
    expect(await recordRefund(before, failed(before), none)).toEqual(failed(before));
    expect(lines).toEqual([]);
  });

  it('is left to a later call that has leased the refund since', async () => {
    const before = await seedLeased();
    const other = await leaseRefund(before, 'second', '2026-05-02T11:00:00.000Z');
    const after = await recordRefund(before, failed(before), none);
    expect(after).toEqual(other);
    expect((await readAlertRefund(before.refund.alertId))?.refund.lease?.attemptId).toBe('second');
    expect(lines).toMatchObject([{ event: 'refund_overtaken', alertId: before.refund.alertId, state: 'failed' }]);
  });

  it.each([
    ['another state', { state: 'unknown' }],
    ['another request', { askedAt: '2026-05-02T09:00:00.000Z' }],
    ['another number of checks', { checks: 4 }],
    ['a lease', { lease: { attemptId: 'second', until: at } }],
  ] as const)('is not taken for the same write if the row has %s', async (_, change) => {
    const before = await seedLeased();
    const other = { ...failed(before), refund: { ...failed(before).refund, ...change } } as RefundRow;
    await transact({ refund: changedRefundWrite(before.refund, other) });
    expect(await recordRefund(before, failed(before), none)).toEqual(other);
    expect(lines).toMatchObject([{ event: 'refund_overtaken' }]);
  });

  it('is tried again while another part of the transaction conflicts', async () => {
    const before = await seedLeased();
    let tries = 0;
    const alongside = async () => {
      tries += 1;
      return tries < 3
        ? [{ ConditionCheck: { Key: { pk: 'NOTHING', sk: 'NOTHING' }, ConditionExpression: 'attribute_exists(pk)' } }]
        : [];
    };
    await recordRefund(before, failed(before), alongside as never);
    expect(tries).toBe(3);
    expect((await readAlertRefund(before.refund.alertId))?.refund.state).toBe('failed');
  });
});

describe('a lease of a refund', () => {
  it('is given to one of two calls', async () => {
    const before = await seedLeased();
    expect((await leaseRefund(before, 'second', at))?.refund.lease?.attemptId).toBe('second');
    expect(await leaseRefund(before, 'third', at)).toBeUndefined();
  });

  it('is the own one when the answer was lost', async () => {
    const before = await seedLeased();
    const own = await leaseRefund(before, 'second', at);
    expect(await leaseRefund(before, 'second', at)).toEqual(own);
  });
});
