import { milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import { describeError, log, metric } from '#core/platform/log/log.ts';
import { newMailWrite } from '#core/platform/mail/mail-row.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, tryTransact, type Write } from '#core/platform/table/table.ts';
import { createDelivery, deliveryIdOf } from '#messaging/webhooks/delivery/delivery.ts';
import { newDeliveryWrite } from '#messaging/webhooks/delivery/delivery-row.ts';
import { fromKeptMoney } from '#payments/payments/kept-money.ts';
import type { DeclineCode } from '#payments/processors/decline-codes.ts';
import type { QueryOutcome } from '#payments/processors/ports/processor.ts';
import { nextLapseLook } from '../follow-up/authorisation-lapse.ts';
import { isIdle, type Ledger } from '../ledger/ledger.ts';
import { type Reversal, redo, reverse, settleReservation } from '../ledger/ledger-changes.ts';
import { fromLedgerItem, ledgerWrites } from '../ledger/ledger-row.ts';
import { newsItem } from '../settlement/news-row.ts';
import { firstPaymentMail, paymentMail } from './payment-mail.ts';
import {
  afterOutcome,
  afterRepeat,
  afterReversal,
  contradicts,
  isTransactionFinal,
  mayBeRepeated,
  mayComeBack,
  type Transaction,
  verifiedResult,
} from './transaction.ts';
import { orderWritesOf } from './transaction-order-row.ts';
import { changedTransactionWrite, fromTransactionItem, transactionReferenceWrite } from './transaction-row.ts';

/** A transaction with the ledger of its parent, both as they were read or written last. */
export type Known = { transaction: Transaction; ledger: Ledger };

/** Writes of another area that belong to the transaction that records a new state. */
export type Alongside = (before: Transaction, after: Transaction) => Promise<readonly Write[]>;

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

/**
 * More meet at one payment than elsewhere, as every partial refund under way writes its ledger twice. Of a function's time, most
 * belongs to the processor; a call cut off in between gets no answer at all.
 */
export const ledgerPatience = { maxAttempts: 25, maxMilliseconds: 6000 } as const;

/**
 * Records a processor's answer: the transaction, its effects on the ledger and the site's funds, and the merchant's notification, in one
 * transaction. After a conflict, it is applied to the new state; a final state stays. Returns the stored transaction. `rcode`: the one with
 * which the merchant verifies the postback; `alongside`: additional writes.
 */
export const recordProcessorResult = (
  known: Known,
  outcome: QueryOutcome,
  rcode: string,
  alongside?: Alongside,
): Promise<Transaction> =>
  recordNext(known, rcode, alongside, ({ transaction, ledger }) => {
    if (isTransactionFinal(transaction)) {
      // There may be money that the ledger does not show: an operator must check.
      if (contradicts(transaction, outcome)) {
        log('error', 'outcome_contradicts', { txid: transaction.txid, outcome: outcome.outcome });
        metric('ContradictedOutcomes', 1, 'Count');
      }
      return undefined;
    }
    const after = afterOutcome(transaction, outcome, nowIso());
    const { txid, status, action } = after;
    const settled = { txid, succeeded: status === 'OK', captures: action === 'PAYMENT' };
    return { transaction: after, ledger: isTransactionFinal(after) ? settleReservation(ledger, settled) : ledger };
  });

/**
 * Records that a completed refund, capture or payment has failed: the ledger gives back what it took, once. Throws where refunds were made
 * of what was captured, so that its message is redelivered: they may still fail. Until then more was refunded than was ever taken, of which
 * an operator is notified.
 */
export const recordReversal = (
  known: Known,
  code: DeclineCode,
  rcode: string,
  alongside?: Alongside,
): Promise<Transaction> =>
  recordNext(known, rcode, alongside, ({ transaction, ledger }) => {
    if (!mayComeBack(transaction)) return undefined;
    const { txid, action } = transaction;
    // A later capture or void has a transaction of its own, which shows its result.
    if (action === 'PREAUTH' && !isIdle(ledger)) return undefined;
    const reversed = reverse(ledger, toMovement(transaction));
    if (!reversed) {
      log('error', 'capture_failed_after_refunds', { txid, parentTxid: ledger.parentTxid });
      throw new Error(`Capture ${txid} failed after refunds were made of it`);
    }
    return { transaction: afterReversal(transaction, code, nowIso()), ledger: reversed };
  });

/** The time within which a bank may still return the refund that a merchant repeated. */
const repeatPatience = 30 * milliseconds.day;

/**
 * Records that a failed refund, capture or payment was done after all, because its processor repeated it. Throws where the merchant has
 * repeated it as well, so that its message is redelivered: theirs may fail, for as long as banks return refunds. Until then an operator is
 * notified; after that, nothing is recorded and an operator decides. An answer that is older than the failure records nothing.
 */
export const recordRepeat = (
  known: Known,
  reference: string,
  rcode: string,
  alongside?: Alongside,
): Promise<Transaction> =>
  recordNext(known, rcode, alongside, ({ transaction, ledger }) => {
    const { txid, version } = transaction;
    if (!mayBeRepeated(transaction)) return undefined;
    if (version !== known.transaction.version)
      throw new Error(`Transaction ${txid} has changed since it was asked about`);
    const redone = redo(ledger, toMovement(transaction));
    if (!redone) {
      log('error', 'repeated_by_processor_and_merchant', { txid, parentTxid: ledger.parentTxid });
      metric('ContradictedOutcomes', 1, 'Count');
      if (nowMilliseconds() - Date.parse(transaction.updatedAt) > repeatPatience) return undefined;
      throw new Error(`Transaction ${txid} was repeated by its processor and by its merchant`);
    }
    return { transaction: afterRepeat(transaction, reference, nowIso()), ledger: redone };
  });

/** What a transaction moves in the ledger of its payment. */
const toMovement = ({ txid, action, money, alertId, conversion }: Transaction): Reversal => ({
  txid,
  kind: action === 'REFUND' || action === 'CAPTURE' ? action : 'AUTH',
  minor: fromKeptMoney(money).minor,
  alertId,
  ...(conversion && { original: fromKeptMoney(conversion.original).minor }),
});

/** `next`: the next state of a transaction and its ledger; undefined if nothing is to write. */
const recordNext = async (
  known: Known,
  rcode: string,
  alongside: Alongside | undefined,
  next: (present: Known) => Known | undefined,
): Promise<Transaction> => {
  let present = known;
  let hasOrder = true;
  let isFirst = true;
  return retryOnConflict(async (earlier) => {
    if (earlier) present = await readKnown(present.transaction);
    const after = next(present);
    if (!after) return present.transaction;
    const conflict = await tryTransact({
      ...changeWrites(present, after, rcode),
      order: hasOrder ? orderWritesOf(present, after) : [],
      alongside: await alongside?.(present.transaction, after.transaction),
      mail: mailWrites(present.transaction, after.transaction),
      lapse: lapseWrites(present.transaction, after.transaction),
      firstMail: isFirst ? firstMailWrites(present.transaction, after.transaction) : [],
    });
    if (!conflict) return { ...after.transaction, version: present.transaction.version + 1 };
    // The order of a merchant who has deleted it is not written any more.
    if (conflict.on('order') && conflict.itemOf('order') === undefined) hasOrder = false;
    // Another payment was the first.
    if (conflict.on('firstMail')) isFirst = false;
    throw conflict;
  }, ledgerPatience);
};

/** That a new authorisation is looked at in a week, where its processor would not tell that it has lapsed. */
const lapseWrites = (before: Transaction, after: Transaction): Write[] => {
  const now = nowIso();
  const at = before.status === 'OK' ? undefined : nextLapseLook(after, now);
  return at === undefined ? [] : [{ Put: { Item: newsItem({ txid: after.txid, toldAt: now, at, tries: 0 }) } }];
};

/**
 * The same for a caller who waits: what could not be written down now stays pending, and settling asks the processor again.
 * An error would tell them nothing of what was done, not even its number.
 */
export const recordAnswer = async (
  known: Known,
  outcome: QueryOutcome,
  rcode: string,
  alongside?: Alongside,
): Promise<Transaction> => {
  try {
    return await recordProcessorResult(known, outcome, rcode, alongside);
  } catch (error) {
    const { txid } = known.transaction;
    log('error', 'outcome_not_recorded', { txid, outcome: outcome.outcome, error: describeError(error) });
    return known.transaction;
  }
};

/** Changes the fields of a transaction that a merchant may change, whatever its status; repeated after a conflict. */
export const changeTransaction = (
  first: Transaction,
  change: Partial<Pick<Transaction, 'reference' | 'postbackUrl'>>,
): Promise<Transaction> => {
  let before = first;
  return retryOnConflict(async () => {
    const after = { ...before, ...change, updatedAt: nowIso() };
    const conflict = await tryTransact({ transaction: changedTransactionWrite(before, after) });
    if (!conflict) return { ...after, version: before.version + 1 };
    const present = conflict.itemOf('transaction');
    // Without one, another try could not resolve it.
    if (!present) throw new Error('The transaction is gone', { cause: conflict });
    before = fromTransactionItem(present);
    throw conflict;
  }, ledgerPatience);
};

/** A transaction's next state with all it brings about. */
const changeWrites = (before: Known, { transaction: after, ledger }: Known, rcode: string) => ({
  transaction: changedTransactionWrite(before.transaction, after),
  ...(ledger !== before.ledger && ledgerWrites(before.ledger, ledger)),
  reference: after.processorReference === before.transaction.processorReference ? [] : transactionReferenceWrite(after),
  postback: postbackWrites(after, rcode),
});

/** E-mails to the site's people, once a payment has gone through. */
const mailWrites = (before: Transaction, after: Transaction): Write[] => {
  const mail = isTransactionFinal(before) ? undefined : paymentMail(after, newTimedId());
  return mail ? [newMailWrite(mail)] : [];
};
const firstMailWrites = (before: Transaction, after: Transaction): Write[] => {
  const mail = isTransactionFinal(before) ? undefined : firstPaymentMail(after);
  return mail ? [newMailWrite(mail)] : [];
};

/** Returns the writes of the merchant's notification about a final status. */
export const postbackWrites = (transaction: Transaction, rcode: string): Write[] => {
  const { postbackUrl, parentTxid, sid, mid, rid, action, money, updatedAt: at } = transaction;
  if (postbackUrl === null || !isTransactionFinal(transaction)) return [];
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
    parentTxid,
    paid: { action, amount: formatAmount(fromKeptMoney(money)), currency: money.currency },
  });
  return [newDeliveryWrite(delivery)];
};
