import { getSite } from '#accounts/merchants/site/site-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import type { AuthCommand, Processor, ProcessorResult } from '#payments/processors/ports/processor.ts';
import { readAround } from '../follow-up/follow-up-store.ts';
import { askSafely, processorOfTransaction } from '../settlement/processor-flow.ts';
import { askAgain } from '../settlement/settle-flow.ts';
import { isTransactionFinal, newAttemptKey, type Transaction } from '../transaction/transaction.ts';
import { getTransaction, recordAnswer } from '../transaction/transaction-store.ts';
import { isReturnToken } from './return-link.ts';

/** The parameters of a payer's link. */
export type Visit = { txid: number; token: string };

/** A payment with the name of its shop. */
export type Visited = { transaction: Transaction; shop: string };

const readVisit = async (transaction: Transaction): Promise<Visited> => ({
  transaction,
  shop: (await getSite(transaction.sid))?.name ?? '',
});

const ofLink = async ({ txid, token }: Visit): Promise<Transaction> => {
  const isOurs = isReturnToken(await keyRing('encryption'), txid, token);
  const transaction = isOurs ? await getTransaction(txid) : undefined;
  if (!transaction) throw new Refusal('page_not_found', 'The link is not complete. Go back to the shop and try again.');
  return transaction;
};

/**
 * Handles a payer's return to a payment: asks the processor about its state, with the parameters that the payer brings, if any. Throws
 * page_not_found for a link that Forewarn did not issue.
 */
export const payerReturns = async (visit: Visit, redirectResult: string | undefined): Promise<Visited> =>
  readVisit(await returnPayer(await ofLink(visit), redirectResult));

const returnPayer = async (transaction: Transaction, redirectResult: string | undefined): Promise<Transaction> => {
  // Only the payer knows the code; asking would only count as a check.
  if (isTransactionFinal(transaction) || transaction.nextAction?.type === 'otp') return transaction;
  if (redirectResult === undefined) return askAgain(transaction, { alongside: null });
  return goOn(transaction, { authType: 'redirect', authValue: redirectResult });
};

/** The same with the code that the payer was sent; null: they want another one. A payment that waits for no code is returned as it is. */
export const payerAnswers = async (visit: Visit, code: string | null): Promise<Visited> => {
  const transaction = await ofLink(visit);
  const { nextAction } = transaction;
  if (isTransactionFinal(transaction) || nextAction?.type !== 'otp') return readVisit(transaction);
  return readVisit(
    code === null
      ? await resend(transaction)
      : await goOn(transaction, { authType: nextAction.channel, authValue: code }),
  );
};

const resend = (transaction: Transaction): Promise<Transaction> =>
  askProcessor(transaction, (processor, reference, idempotencyKey) =>
    processor.resendAuth({ idempotencyKey, reference }),
  );

const goOn = (transaction: Transaction, given: Pick<AuthCommand, 'authType' | 'authValue'>): Promise<Transaction> =>
  askProcessor(transaction, (processor, reference, idempotencyKey) =>
    processor.continueAuth({ idempotencyKey, reference, miscData: null, ...given }),
  );

const askProcessor = async (
  transaction: Transaction,
  ask: (processor: Processor, reference: string, idempotencyKey: string) => Promise<ProcessorResult>,
): Promise<Transaction> => {
  const { ledger, processors, rcode } = await readAround(transaction);
  const processor = await processorOfTransaction(transaction, processors);
  const { txid, processorReference: reference } = transaction;
  if (!processor || reference === null) return transaction;
  const outcome = await askSafely(() => ask(processor, reference, newAttemptKey(txid)));
  return recordAnswer({ transaction, ledger }, outcome, rcode);
};
