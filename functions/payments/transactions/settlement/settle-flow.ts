import { nowIso } from '#core/kernel/clock.ts';
import { log } from '#core/platform/log/log.ts';
import { isEarly } from '#core/platform/work/delay.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { fromKeptMoney } from '#payments/payments/kept-money.ts';
import type { QueryOutcome } from '#payments/processors/ports/processor.ts';
import { type Around, readAround } from '../follow-up/follow-up-store.ts';
import {
  isTransactionFinal,
  mayBeRepeated,
  mayComeBack,
  operationKindOf,
  type Transaction,
} from '../transaction/transaction.ts';
import { transactionDue } from '../transaction/transaction-due.ts';
import {
  type Alongside,
  getTransaction,
  recordProcessorResult,
  recordRepeat,
  recordReversal,
} from '../transaction/transaction-store.ts';
import { askSafely, type ProcessorFor, processorOfTransaction } from './processor-flow.ts';
import { followNews } from './transaction-news-flow.ts';

/** `alongside`: what is written with the result of a refund that answers a dispute alert; null for payments, which answer none. */
export type SettleMeans = { processorFor?: ProcessorFor; alongside: Alongside | null };

/**
 * Finds out the result of a transaction that is under way, once its time has come or something was reported. A message that arrives early
 * is sent on, unless its check was moved: each check has one message, or every requery would add another. One that is repeated, late or for
 * a final transaction does nothing. After a report, however, a transaction that may still be returned (see mayComeBack) is asked about once
 * more, and so is one that failed, because an operator must know if it did not: until the processor answers. A transaction that stays
 * pending names the time of its next check.
 */
export const settleTransaction = async (
  { txid, told, slot }: { txid: number; told?: true | undefined; slot?: string | undefined },
  means: SettleMeans,
): Promise<void> => {
  if (told) return followNews(txid, slot, (transaction) => lookAgain(transaction, means));
  const transaction = await getTransaction(txid);
  if (!transaction || isTransactionFinal(transaction)) return;
  const { nextCheckAt } = transaction;
  if (nextCheckAt !== null && isEarly(nextCheckAt, nowIso())) {
    return slot === nextCheckAt
      ? sendOrThrow([transactionDue.message({ txid, slot }, { at: nextCheckAt })])
      : undefined;
  }
  await askAgain(transaction, means);
};

/** Asks the processor what became of a pending transaction and writes the answer; returns the transaction as it is then. */
export const askAgain = async (transaction: Transaction, means: SettleMeans): Promise<Transaction> => {
  const around = await readAround(transaction);
  const outcome = await askAbout(transaction, around, means);
  const after = await recordProcessorResult(
    { transaction, ledger: around.ledger },
    outcome,
    around.rcode,
    means.alongside ?? undefined,
  );
  if (!isUndone(outcome, after)) return after;
  await lookAgain(after, means);
  return (await getTransaction(after.txid)) ?? after;
};

/** Another process has meanwhile recorded as done what its processor now reports as failed: one of the two answers is older. */
const isUndone = ({ outcome }: QueryOutcome, { status }: Transaction): boolean => outcome === 'EXC' && status === 'OK';

/**
 * Checks a transaction that was reported. Only a processor that clearly reports a failure undoes what was done, and only one that clearly
 * reports success restores it; one that does not know, or cannot be asked, does neither. Returns whether nothing is left to ask: a pending transaction has its own time for that.
 */
const lookAgain = async (transaction: Transaction, means: SettleMeans): Promise<boolean> => {
  if (transaction.status === 'OK' && !mayComeBack(transaction)) return true;
  const around = await readAround(transaction);
  const known = { transaction, ledger: around.ledger };
  const outcome = await askAbout(transaction, around, means);
  if (transaction.status === 'OK') {
    if (outcome.outcome === 'EXC')
      await recordReversal(known, outcome.code, around.rcode, means.alongside ?? undefined);
    return outcome.outcome !== 'UNKNOWN';
  }
  if (outcome.outcome === 'OK' && mayBeRepeated(transaction)) {
    await recordRepeat(known, outcome.reference, around.rcode, means.alongside ?? undefined);
    return true;
  }
  const after = await recordProcessorResult(known, outcome, around.rcode, means.alongside ?? undefined);
  if (isUndone(outcome, after)) return lookAgain(after, means);
  // Another process may have recorded an older answer meanwhile, which is final and has no time of its own.
  return !isTransactionFinal(after) || outcome.outcome !== 'UNKNOWN';
};

const askAbout = async (
  transaction: Transaction,
  { payment, processors }: Around,
  { processorFor = processorOfTransaction }: SettleMeans,
): Promise<QueryOutcome> => {
  const processor = await processorFor(transaction, processors);
  const { txid, action, idempotencyKey, processorReference, money, createdAt } = transaction;
  if (!processor) log('error', 'processor_gone', { txid, routeId: transaction.routeId });
  return askSafely(
    async (): Promise<QueryOutcome> =>
      processor?.query({
        kind: operationKindOf(action),
        txid,
        idempotencyKey,
        reference: processorReference,
        money: fromKeptMoney(money),
        startedAt: createdAt,
        paymentReference: payment.processorReference,
      }) ?? { outcome: 'UNKNOWN', detail: 'The account is no longer known' },
  );
};
