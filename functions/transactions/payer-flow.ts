import { Refusal } from '../core/errors.ts';
import { keyRing } from '../core/secrets.ts';
import type { AuthCommand } from '../processors/processor.ts';
import { readAround } from './follow-up-store.ts';
import { answerOf, processorOfTransaction } from './processor-flow.ts';
import { isReturnToken } from './return-link.ts';
import { askAgain } from './settle-flow.ts';
import { isFinal, newAttemptKey, type Transaction } from './transaction.ts';
import { getTransaction, recordAnswer } from './transaction-store.ts';

/** What a payer brings who follows the link of their payment. */
export type Visit = { txid: number; token: string };

const ofLink = async ({ txid, token }: Visit): Promise<Transaction> => {
  const isOurs = isReturnToken(await keyRing('encryption'), txid, token);
  const transaction = isOurs ? await getTransaction(txid) : undefined;
  if (!transaction) throw new Refusal('page_not_found', 'The link is not complete. Go back to the shop and try again.');
  return transaction;
};

/**
 * A payment whose payer comes back from wherever they were sent to: what came of it is asked of the processor, with the
 * result they bring if there is one. Throws page_not_found for a link that is not ours.
 */
export const payerReturns = async (visit: Visit, redirectResult: string | undefined): Promise<Transaction> => {
  const transaction = await ofLink(visit);
  // Nobody but the payer can say a code; asking would only count as a check.
  if (isFinal(transaction) || transaction.nextAction?.type === 'otp') return transaction;
  if (redirectResult === undefined) return askAgain(transaction);
  return goOn(transaction, { authType: 'redirect', authValue: redirectResult });
};

/** The same with the code that the payer was sent. What waits for none is answered as it is. */
export const payerAnswers = async (visit: Visit, code: string): Promise<Transaction> => {
  const transaction = await ofLink(visit);
  if (isFinal(transaction) || transaction.nextAction?.type !== 'otp') return transaction;
  return goOn(transaction, { authType: transaction.nextAction.channel, authValue: code });
};

const goOn = async (
  transaction: Transaction,
  given: Pick<AuthCommand, 'authType' | 'authValue'>,
): Promise<Transaction> => {
  const { ledger, processors, rcode } = await readAround(transaction);
  const processor = await processorOfTransaction(transaction, processors);
  const { txid, processorReference: reference } = transaction;
  if (!processor || reference === null) return transaction;
  const idempotencyKey = newAttemptKey(txid);
  const outcome = await answerOf(() => processor.continueAuth({ idempotencyKey, reference, miscData: null, ...given }));
  return recordAnswer({ transaction, ledger }, outcome, rcode);
};
