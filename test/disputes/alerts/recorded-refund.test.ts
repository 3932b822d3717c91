import { describe, expect, it } from 'vitest';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, putItem, transact } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import type { AlertUpdate } from '#disputes/alerts/answer/alert-update.ts';
import { findRefundMaker, recordedRefundKeys } from '#disputes/alerts/answer/recorded-refund-store.ts';
import { foundHoldWrite } from '#disputes/alerts/hold-row.ts';
import { emptyLedger, type Ledger } from '#payments/transactions/ledger/ledger.ts';
import { toLedgerItem } from '#payments/transactions/ledger/ledger-row.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';
import { toTransactionItem } from '#payments/transactions/transaction/transaction-row.ts';
import { useTable } from '#test/support/table.ts';
import { anAlert, start } from './samples.ts';
import { fresh } from './seed.ts';

useTable();

const refundHere = (status: Transaction['status'], minor: string, currency = 'USD'): Transaction => ({
  ...{ txid: fresh(), parentTxid: 7, sid: 12, mid: 1, rid: 5, action: 'REFUND', status, money: { minor, currency } },
  ...{ tid: null, reference: null, refs: [null, null, null, null], descriptor: null, processor: 'sandbox' },
  ...{ routeId: null, processorReference: null, idempotencyKey: 'k', arn: null, authCode: null, error: null },
  ...{ nextAction: null, card: null, email: null, postbackUrl: null, conversion: null, fraud: null, alertId: null },
  ...{ nextCheckAt: null, checks: 0, createdAt: start, updatedAt: start, version: 1 },
});
const atConnection = (state: string, amount = '10.00', currency = 'USD') => ({
  connection: { state, amount, currency },
});
const paid = { authorized: 1000n, captured: 1000n };
const dispute = { open: false, held: 0n, refundTxid: null };

/** `connection`: the refund at the merchant's own processor. `here`: the refund here. `ledger`: of the payment that the alert holds. */
type Recorded = { connection?: object; here?: Transaction; ledger?: Partial<Ledger> };
const putAll = async (alertId: number, { connection, here, ledger }: Recorded) => {
  await putItem({
    ...{ ...keys.refund(alertId), entity: 'REFUND' },
    ...(connection && { refund: connection }),
    ...(here && { refundTxid: here.txid }),
  });
  if (here) await putItem(toTransactionItem(here));
  if (ledger) {
    const txid = fresh();
    await putItem(toLedgerItem({ ...emptyLedger(txid, 12, 'USD'), ...paid, ...ledger }));
    await transact({ hold: foundHoldWrite({ alertId, since: start, txid, txids: [], version: 1 }, start) });
  }
  const [refund, hold] = await getItems(recordedRefundKeys(alertId));
  return [refund, hold] as const;
};

/** An alert about 10.00 USD with its answer. */
const answered = (said: Partial<AlertUpdate> = {}): Alert => ({
  ...{ ...anAlert({ amount: '10.00', currency: 'USD' }), alertId: fresh() },
  ...{ status: 'RESOLVED', update: { status: 'RESOLVED', reason_code: '100.001', ...said } },
});
const part = (alert_outcome_amount: string) => ({
  ...{ reason_code: '101.001', alert_outcome_amount, alert_outcome_currency: 'USD' },
});
type Claim = Partial<Pick<Parameters<typeof findRefundMaker>[1], 'named' | 'needsProof'>>;
const makerIn = async (recorded: Recorded, said: Partial<AlertUpdate> = {}, claim: Claim = {}) => {
  const alert = answered(said);
  return findRefundMaker(alert, { rows: await putAll(alert.alertId, recorded), named: [], needsProof: true, ...claim });
};
const elsewhere = { refunded_elsewhere: { date: start } };
const notRecorded = /states a refund, and no such refund is recorded/;
const isUnderWay = /a refund for this alert is under way/;

describe('the maker of the refund that an answer states', () => {
  it.each([
    ['at a connection', atConnection('done')],
    ['at a connection in another currency', atConnection('done', '11.00', 'EUR')],
    ['here of a payment that the alert does not hold', { here: refundHere('OK', '1000') }],
    ['here in another currency', { here: refundHere('OK', '1100', 'EUR') }],
    ['of the held payment', { ledger: { refunded: 1000n } }],
    ['of the held payment by a void', { ledger: { captured: 0n, voided: 1000n } }],
  ])('is Forewarn after a refund %s', async (_, recorded) => {
    expect(await makerIn(recorded)).toBe('forewarn');
    await expect(makerIn(recorded, elsewhere)).rejects.toThrow('Forewarn made the refund');
  });

  it('is not Forewarn if the only refund is smaller, although the ledger and the refund itself record it', async () => {
    const recorded = { here: refundHere('OK', '400'), ledger: { refunded: 400n } };
    expect(await makerIn(recorded, part('4.00'))).toBe('forewarn');
    await expect(makerIn(recorded, part('5.00'))).rejects.toThrow(notRecorded);
  });

  it('is the network if it has refunded the held payment', async () => {
    const ledger = { disputes: { 5: dispute, 6: { ...dispute, byNetwork: true } } };
    expect(await makerIn({ ledger })).toBe('network');
    await expect(makerIn({ ledger: { disputes: { 5: dispute } } })).rejects.toThrow(notRecorded);
    await expect(makerIn({ ledger }, elsewhere)).rejects.toThrow(
      'refunded_elsewhere: must be left out, as the network made the refund',
    );
  });
});

describe('the maker of a duplicate’s refund', () => {
  const repeated = { reason_code: '940.001' };
  const byNetwork = anAlert({ type: 'DISPUTE_RDR', decision: 'ACCEPTED' });

  it('is that of the alert which the answer repeats, and of no other', async () => {
    expect(await makerIn({}, repeated, { named: [anAlert(), byNetwork] })).toBe('network');
    expect(await makerIn({}, {}, { named: [byNetwork], needsProof: false })).toBe('merchant');
  });

  it('is the merchant, as stated, unless Forewarn or the network has made it', async () => {
    const stated = { ...repeated, ...elsewhere };
    await expect(makerIn({}, stated, { named: [byNetwork] })).rejects.toThrow('the network made the refund');
    expect(await makerIn({}, stated, { named: [answered({ refunded_by: 'merchant' })] })).toBe('merchant');
  });
});

describe('an answer that states a refund', () => {
  it.each([
    ['at a connection', atConnection('pending')],
    ['here', { here: refundHere('PEND', '1000') }],
    ['of the held payment', { ledger: { inFlight: { 9: { kind: 'REFUND', minor: 1000n, alertId: null } } } }],
  ] as const)('is refused until a refund %s that is under way is done', async (_, recorded) => {
    await expect(makerIn(recorded)).rejects.toThrow(isUnderWay);
  });

  it.each([
    ['nothing', {}],
    ['a failed refund at a connection', atConnection('failed')],
    ['a refund at a connection without an amount that can be read', atConnection('done', 'all')],
    ['a smaller refund at a connection', atConnection('done', '4.00')],
    ['a failed refund here', { here: refundHere('EXC', '1000') }],
    ['a payment that was not refunded', { ledger: {} }],
  ])('is refused where %s is recorded, unless it needs no proof or names the refund', async (_, recorded) => {
    await expect(makerIn(recorded)).rejects.toThrow(notRecorded);
    expect(await makerIn(recorded, {}, { needsProof: false })).toBe('merchant');
    expect(await makerIn(recorded, elsewhere)).toBe('merchant');
  });
});
