import { Refusal } from '#core/platform/operation/errors.ts';
import type { SiteProof } from '#payments/payments/order/site-proof.ts';
import type { NextAction, Processor, ProcessorResult } from '#payments/processors/ports/processor.ts';
import { askSafely, type ProcessorFor, processorOfTransaction } from '../settlement/processor-flow.ts';
import { transactionByProof } from '../transaction/status-store.ts';
import { isTransactionFinal, newAttemptKey, type Transaction } from '../transaction/transaction.ts';
import { recordAnswer } from '../transaction/transaction-store.ts';
import { readAround } from './follow-up-store.ts';

type Means = { processorFor?: ProcessorFor };
type Call = { txid: number; proof: SiteProof };
export type SentAuthentication = { authType: string; authValue: string; miscData: string | null };
type Answered = { transaction: Transaction; rcode: string };

/**
 * Continues a payment that waits for its payer, with what they answered. One that is already final is returned as it is: the
 * previous answer may have been lost. Throws hash_wrong, transaction_state_wrong.
 */
export const continueAuthentication = (call: Call, given: SentAuthentication, means: Means = {}): Promise<Answered> =>
  withWaiting(call, means, (processor, reference, idempotencyKey) =>
    processor.continueAuth({ idempotencyKey, reference, ...given }),
  );

/** Has the processor send the payer the code again. Throws hash_wrong, transaction_state_wrong. */
export const resendAuthentication = (call: Call, means: Means = {}): Promise<Answered> =>
  withWaiting(
    call,
    means,
    (processor, reference, idempotencyKey) => processor.resendAuth({ idempotencyKey, reference }),
    (kind) => kind === 'otp',
  );

const withWaiting = async (
  { txid, proof }: Call,
  { processorFor = processorOfTransaction }: Means,
  ask: (processor: Processor, reference: string, idempotencyKey: string) => Promise<ProcessorResult>,
  fits: (kind: NextAction['type']) => boolean = () => true,
): Promise<Answered> => {
  const { transaction, rcode } = await transactionByProof(txid, proof);
  if (isTransactionFinal(transaction)) return { transaction, rcode };
  const { nextAction, processorReference } = transaction;
  if (nextAction === null || processorReference === null) {
    throw new Refusal('transaction_state_wrong', 'The transaction is not waiting for an authentication.');
  }
  if (!fits(nextAction.type)) {
    throw new Refusal(
      'transaction_state_wrong',
      'There is no code to send: redirect the payer to the page of next_action.',
    );
  }
  const { ledger, processors } = await readAround(transaction);
  const processor = await processorFor(transaction, processors);
  if (!processor) throw new Refusal('transaction_state_wrong', 'The processor of the payment is no longer set up.');
  const outcome = await askSafely(() => ask(processor, processorReference, newAttemptKey(txid)));
  return { transaction: await recordAnswer({ transaction, ledger }, outcome, rcode), rcode };
};
