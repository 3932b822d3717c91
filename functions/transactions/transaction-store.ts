import { nowIso } from '../core/clock.ts';
import { newTimedId } from '../core/ids.ts';
import { keys } from '../core/keys.ts';
import { ConditionFailed, getItem, getItems, pause, transact, type Write } from '../core/table.ts';
import { createDelivery, deliveryIdOf } from '../notifications/delivery.ts';
import { newDeliveryWrite } from '../notifications/delivery-row.ts';
import type { QueryOutcome } from '../processors/processor.ts';
import { type Ledger, settle } from './ledger.ts';
import { fromLedgerItem, ledgerWrites } from './ledger-row.ts';
import { afterOutcome, isFinal, type Transaction, verifiedResult } from './transaction.ts';
import { changedTransactionWrite, fromTransactionItem, referenceWrite } from './transaction-row.ts';

/** A transaction with the ledger of its parent, both as they were read or written last. */
export type Known = { transaction: Transaction; ledger: Ledger };

/** A transaction by its number; undefined if there is none. */
export const getTransaction = async (txid: number): Promise<Transaction | undefined> => {
  const item = await getItem(keys.transaction(txid));
  return item && fromTransactionItem(item);
};

/** A parent transaction with its ledger, in one read; undefined if there is no such parent. */
export const getParent = async (parentTxid: number): Promise<Known | undefined> => {
  const [item, ledger] = await getItems([keys.transaction(parentTxid), keys.ledger(parentTxid)]);
  return item && ledger && { transaction: fromTransactionItem(item), ledger: fromLedgerItem(ledger) };
};

/** A transaction with its parent's ledger as they are now. Throws if they are gone: nothing removes them. */
export const readKnown = async ({ txid, parentTxid }: Pick<Transaction, 'txid' | 'parentTxid'>): Promise<Known> => {
  const [item, ledger] = await getItems([keys.transaction(txid), keys.ledger(parentTxid)]);
  if (!item || !ledger) throw new Error(`Transaction ${txid} or the ledger of ${parentTxid} is gone`);
  return { transaction: fromTransactionItem(item), ledger: fromLedgerItem(ledger) };
};

/** More than ever meet at one payment: every partial refund under way writes its ledger twice. */
const mostTries = 25;
/** As `pause` counts: those who meet here are done with their ledger in some milliseconds. */
const longestPause = 3;

/**
 * Writes what a processor answered: the transaction, what that means for the ledger and the site's funds, and what the
 * merchant is told, in one transaction. Where somebody else was faster, it is done again to what they left; what is final
 * stays. Answers the transaction as it is then. `rcode`: the one the merchant verifies the postback with.
 */
export const recordOutcome = async (known: Known, outcome: QueryOutcome, rcode: string): Promise<Transaction> => {
  let { transaction, ledger } = known;
  for (let tries = 1; ; tries += 1) {
    if (isFinal(transaction)) return transaction;
    const after = afterOutcome(transaction, outcome, nowIso());
    try {
      await transact(outcomeWrites({ transaction, ledger }, after, rcode));
      return { ...after, version: transaction.version + 1 };
    } catch (error) {
      if (!(error instanceof ConditionFailed) || tries >= mostTries) throw error;
      await pause(Math.min(tries, longestPause));
      ({ transaction, ledger } = await readKnown(transaction));
    }
  }
};

/** Changes what a merchant may change of a transaction, whatever its status; done again where somebody else was faster. */
export const changeTransaction = async (
  first: Transaction,
  change: Partial<Pick<Transaction, 'reference' | 'postbackUrl'>>,
): Promise<Transaction> => {
  let before = first;
  for (let tries = 1; ; tries += 1) {
    const after = { ...before, ...change, updatedAt: nowIso() };
    try {
      await transact([changedTransactionWrite(before, after)]);
      return { ...after, version: before.version + 1 };
    } catch (error) {
      const present = error instanceof ConditionFailed && error.items.get(0);
      if (!present || tries >= mostTries) throw error;
      await pause(Math.min(tries, longestPause));
      before = fromTransactionItem(present);
    }
  }
};

/** A transaction's next state with all it brings about. */
export const outcomeWrites = ({ transaction, ledger }: Known, after: Transaction, rcode: string): Write[] => {
  const { txid, status, action } = after;
  const settled = isFinal(after)
    ? settle(ledger, { txid, succeeded: status === 'OK', captures: action === 'PAYMENT' })
    : ledger;
  return [
    changedTransactionWrite(transaction, after),
    ...(settled === ledger ? [] : ledgerWrites(ledger, settled)),
    ...(after.processorReference === transaction.processorReference ? [] : referenceWrite(after)),
    ...postbackWrites(after, rcode),
  ];
};

/** What the merchant is told once a status is final. */
export const postbackWrites = (transaction: Transaction, rcode: string): Write[] => {
  const { postbackUrl, sid, mid, rid, updatedAt: at } = transaction;
  if (postbackUrl === null || !isFinal(transaction)) return [];
  const delivery = createDelivery({
    id: deliveryIdOf(newTimedId()),
    kind: 'postback',
    sid,
    mid,
    rid,
    alertId: null,
    contentType: 'application/json',
    body: JSON.stringify(verifiedResult(transaction, rcode)),
    at,
    postbackUrl,
  });
  return [newDeliveryWrite(delivery)];
};
