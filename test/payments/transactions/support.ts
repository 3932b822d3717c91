import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { milliseconds, nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, transact } from '#core/platform/table/table.ts';
import { dueAt, dueShards } from '#core/platform/work/due.ts';
import { readDue } from '#jobs/due-store.ts';
import type { Processor } from '#payments/processors/ports/processor.ts';
import { paymentId } from '#payments/processors/sandbox/sandbox-reference.ts';
import { getPayment } from '#payments/processors/sandbox/sandbox-store.ts';
import { brokenRules, type Ledger } from '#payments/transactions/ledger/ledger.ts';
import { balanceShards } from '#payments/transactions/ledger/ledger-funds-row.ts';
import { fromLedgerItem, ledgerWrites } from '#payments/transactions/ledger/ledger-row.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';
import { getTransaction } from '#payments/transactions/transaction/transaction-store.ts';
import { beforeTransactions } from '#test/support/operations.ts';
import { settle } from '#test/support/settle.ts';

/** Lets the sandbox take the payments of a test file; to be called at its top level. */
export const useSandbox = (): void => {
  beforeAll(() => {
    Object.assign(process.env, { ALLOW_SANDBOX: 'true', MINFRAUD_SECRET_ID: 'minfraud' });
  });
};

/** Lets connections be on loopback, in the evening of the sandbox's sample charges; to be called at the top level of a test file. */
export const useConnectionsInTheEvening = (): void => {
  beforeAll(() => void Object.assign(process.env, { ALLOW_LOOPBACK_HTTP: 'true' }));
  afterAll(() => {
    delete process.env['ALLOW_LOOPBACK_HTTP'];
  });
  beforeEach(() => setClock(() => Date.parse('2026-05-02T22:30:00Z')));
  afterEach(() => setClock());
};

/** Moves the clock of this process on; for good, since nothing runs backwards here. */
export const advance = (milliseconds: number): void => {
  const time = nowMilliseconds() + milliseconds;
  setClock(() => time);
};

/**
 * Moves it on until the sandbox has decided on what it left pending. A millisecond more than a minute, since a payment begins when
 * its identifier says, which may be of the next millisecond while the clock stands (`newTimedId`).
 */
export const advanceUntilDecided = (): void => advance(milliseconds.minute + 1);

/** A ledger as it is; throws if a rule of it is broken. */
export const ledgerAt = async (parentTxid: number): Promise<Ledger> => {
  const item = await getItem(keys.ledger(parentTxid));
  if (!item) throw new Error(`No ledger of ${parentTxid}`);
  const ledger = fromLedgerItem(item);
  const broken = brokenRules(ledger);
  if (broken.length > 0) throw new Error(`The ledger of ${parentTxid} breaks: ${broken.join('; ')}`);
  return ledger;
};

export const paymentAt = async (txid: number): Promise<Transaction> => {
  const transaction = await getTransaction(txid);
  if (!transaction) throw new Error(`No transaction ${txid}`);
  return transaction;
};

/** A site's funds in one currency, all shards together. */
export const fundsAt = async (sid: number, currency = 'USD'): Promise<{ available: number; reserved: number }> => {
  const rows = await getItems(Array.from({ length: balanceShards }, (_, shard) => keys.balance(sid, shard)));
  const sum = (name: string) => rows.reduce((total, row) => total + Number(row?.[`${name}#${currency}`] ?? 0), 0);
  return { available: sum('available'), reserved: sum('reserved') };
};

const unasked = async (): Promise<never> => {
  throw new Error('The test did not expect this call');
};

/** A processor that does what a test says, and throws for all else. */
export const fakeProcessor = (does: Partial<Processor>): Processor => ({
  name: 'sandbox',
  capabilities: { payout: true, balance: false, otp: true, redirect: true, partialRefund: true },
  exponentOf: () => 2,
  pay: unasked,
  continueAuth: unasked,
  resendAuth: unasked,
  capture: unasked,
  void: unasked,
  refund: unasked,
  payout: unasked,
  query: unasked,
  readWebhook: async () => undefined,
  balance: unasked,
  ...does,
});

const dueTransactions = async (): Promise<{ txid: number; at: string }[]> => {
  const pages = await Promise.all(
    Array.from({ length: dueShards }, (_, shard) => readDue('9999-12-31T23:59:59.999Z', shard, undefined)),
  );
  return pages
    .flatMap(({ rows }) => rows)
    .filter(({ entity }) => entity === 'TRANSACTION')
    .map((row) => ({ txid: Number(row['id']), at: dueAt(row) }));
};

/** Moves to each due check, and makes it, until none is left; throws if something never ends. */
export const settleEverything = async (): Promise<void> => {
  for (let round = 0; round < 60; round += 1) {
    const due = await dueTransactions();
    if (due.length === 0) return;
    const last = Math.max(...due.map(({ at }) => Date.parse(at)));
    advance(Math.max(0, last - nowMilliseconds()));
    for (const { txid } of due) await settle({ txid });
  }
  throw new Error('Something is stuck');
};

/** Returns what the sandbox really did for a payment; undefined where it has recorded nothing. */
const readTruth = async ({ sid, idempotencyKey }: Transaction) => getPayment(paymentId(sid, idempotencyKey));

/**
 * Holds a payment that is settled against what the sandbox did: the ledger's sums, its own transactions and the sandbox
 * agree, and nothing is under way.
 */
export const expectSettled = async (parentTxid: number): Promise<Ledger> => {
  const [ledger, parent] = [await ledgerAt(parentTxid), await paymentAt(parentTxid)];
  const truth = await readTruth(parent);
  expect(ledger.inFlight).toEqual({});
  expect(parent.status).not.toBe('PEND');
  const isOk = parent.status === 'OK';
  expect(ledger.authorized).toBe(isOk ? BigInt(parent.money.minor) : 0n);
  const { captured, refunded, voided } = ledger;
  if (truth && isOk) {
    const amount = BigInt(truth.minor);
    expect({ captured, refunded, voided }).toEqual({
      captured: truth.stage === 'captured' ? amount : 0n,
      refunded: BigInt(truth.refunded),
      voided: truth.stage === 'voided' ? amount : 0n,
    });
  } else {
    // A plain payment is written down with the first thing done to it.
    expect({ captured, refunded, voided }).toEqual({
      captured: isOk && parent.action === 'PAYMENT' ? BigInt(parent.money.minor) : 0n,
      refunded: 0n,
      voided: 0n,
    });
    if (truth) expect(truth.stage).toBe('failed');
  }
  return ledger;
};

/** Changes a ledger as another process would, such as the hold of a dispute alert. */
export const changeLedger = async (txid: number, change: (ledger: Ledger) => Ledger): Promise<void> => {
  const before = await ledgerAt(txid);
  await transact(ledgerWrites(before, change(before)));
};

/** Has another process write a ledger just before every transaction, until `beforeTransactions` ends that. */
export const keepWriting = (txid: number): void => {
  const write = async (): Promise<void> => {
    beforeTransactions();
    await changeLedger(txid, (ledger) => ledger);
    beforeTransactions(write);
  };
  beforeTransactions(write);
};
