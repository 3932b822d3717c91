import { checkProof, checkTakesPayments } from '#accounts/merchants/site/site-type.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { formatAmount, parseAmount } from '#core/kernel/money/money.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { fromKeptMoney } from '#payments/payments/kept-money.ts';
import { captureHash } from '#payments/payments/order/hashes.ts';
import { isSigned, proofWrong, rcodeOfProof, type SiteProof } from '#payments/payments/order/site-proof.ts';
import type { Processor, ProcessorResult } from '#payments/processors/ports/processor.ts';
import { findCapture } from '../ledger/ledger.ts';
import { askSafely, type ProcessorFor, processorOfTransaction } from '../settlement/processor-flow.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { type Known, recordAnswer } from '../transaction/transaction-store.ts';
import { planCapture } from './follow-up.ts';
import { beginFollowUp, type PaymentOfSite, readPaymentOfSite } from './follow-up-store.ts';

export type CaptureRequest = { sid: number; parentTxid: number; amount: string; proof: SiteProof };

type Means = { processorFor?: ProcessorFor };

/**
 * Has the processor capture an authorisation, as a whole and once. Killed anywhere in between, settling finishes it. Returns
 * the capture, which is the earlier one if the call is repeated, and the rcode with which its result is verified. Throws hash_wrong, site_not_for_payments,
 * transaction_not_found, request_invalid, transaction_state_wrong, amount_not_available, changed_meanwhile.
 */
export const captureThroughLedger = async (
  request: CaptureRequest,
  { processorFor = processorOfTransaction }: Means = {},
): Promise<{ transaction: Transaction; rcode: string }> => {
  const { site, payment, processors, rcode } = await checkCaptureProof(request);
  checkTakesPayments(site);
  if (!payment) throw new Refusal('transaction_not_found', 'parent_txid: the site has no such payment.');
  const money = parseAmount(request.amount, payment.ledger.currency);
  if (typeof money === 'string') throw new Refusal('request_invalid', `amount: ${money}`);
  const parent = payment.transaction;
  const processor = await processorFor(parent, processors);
  const begun = await beginFollowUp(
    payment.ledger,
    (ledger) => {
      const earlierTxid = findCapture(ledger, money.minor);
      return earlierTxid === undefined ? planCapture(parent, ledger, money.minor, nowIso()) : { earlierTxid };
    },
    { once: null },
  );
  if ('earlier' in begun) return { transaction: begun.earlier, rcode };
  const outcome = await askSafely(() => ask(processor, parent, begun));
  return { transaction: await recordAnswer(begun, outcome, rcode), rcode };
};

/** Reads the payment that a capture names for a caller who knows the rcode. Throws hash_wrong. */
export const checkCaptureProof = async (request: CaptureRequest): Promise<PaymentOfSite & { rcode: string }> => {
  const around = await readPaymentOfSite(request.sid, request.parentTxid);
  const rcode = around && findRcode(around, request);
  if (!around || rcode === undefined) {
    throw proofWrong(request.proof, 'hash: must be md5 of sid, amount as it is sent and rcode, joined.');
  }
  checkProof(around.site, { isSigned: isSigned(request.proof) });
  return { ...around, rcode };
};

/** The amount in the hash has all decimals of its currency; as it was written will do, since it proves no less. */
const findRcode = ({ payment, rcodes }: PaymentOfSite, { sid, amount, proof }: CaptureRequest): string | undefined => {
  const money = payment ? parseAmount(amount, payment.ledger.currency) : amount;
  const canonical = typeof money === 'string' ? amount : formatAmount(money);
  const rcodeFor = (text: string) => rcodeOfProof(proof, rcodes, (rcode) => captureHash(sid, text, rcode));
  return rcodeFor(canonical) ?? rcodeFor(amount);
};

const ask = async (
  processor: Processor | undefined,
  { processorReference: reference }: Transaction,
  { transaction: { idempotencyKey, txid, money } }: Known,
): Promise<ProcessorResult> =>
  // If the processor was not asked, the failure is definite.
  !processor || reference === null
    ? { outcome: 'EXC', code: 'no_processor', reference: null }
    : processor.capture({ idempotencyKey, txid, money: fromKeptMoney(money), reference });
