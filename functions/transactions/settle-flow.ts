import { nowIso } from '../core/clock.ts';
import { log } from '../core/log.ts';
import { isEarly } from '../notifications/delay.ts';
import { settlementAgain } from '../notifications/queue-store.ts';
import type { QueryOutcome } from '../processors/processor.ts';
import { readAround } from './follow-up-store.ts';
import { answerOf, type ProcessorFor, processorOfTransaction } from './processor-flow.ts';
import { isFinal, moneyOf, operationKindOf, type Transaction } from './transaction.ts';
import { getTransaction, recordOutcome } from './transaction-store.ts';

type Means = { processorFor?: ProcessorFor };

/**
 * Sees what became of a transaction that is under way, once its time has come or somebody told that something has happened. A
 * message that comes early is sent on; one that comes twice, late or for what is final does nothing. What stays pending says
 * itself when it is to be looked at next.
 */
export const settleTransaction = async (
  { txid, told }: { txid: number; told?: true | undefined },
  means: Means = {},
): Promise<void> => {
  const transaction = await getTransaction(txid);
  if (!transaction || isFinal(transaction)) return;
  const { nextCheckAt } = transaction;
  if (!told && nextCheckAt !== null && isEarly(nextCheckAt, nowIso())) return settlementAgain({ txid }, nextCheckAt);
  await askAgain(transaction, means);
};

/** Asks the processor what became of a pending transaction and writes the answer; answers the transaction as it is then. */
export const askAgain = async (
  transaction: Transaction,
  { processorFor = processorOfTransaction }: Means = {},
): Promise<Transaction> => {
  const { ledger, payment, rcode, processors } = await readAround(transaction);
  const processor = await processorFor(transaction, processors);
  const { txid, action, idempotencyKey, processorReference, money, createdAt } = transaction;
  if (!processor) log('error', 'processor_gone', { txid, routeId: transaction.routeId });
  const outcome = await answerOf(
    async (): Promise<QueryOutcome> =>
      processor?.query({
        kind: operationKindOf(action),
        ...{ txid, idempotencyKey, reference: processorReference, money: moneyOf(money), startedAt: createdAt },
        paymentReference: payment.processorReference,
      }) ?? { outcome: 'UNKNOWN', detail: 'The account is no longer known' },
  );
  return recordOutcome({ transaction, ledger }, outcome, rcode);
};
