import { nowIso } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import type { Money } from '#core/kernel/money/money.ts';
import type { KeyClaim } from '#core/platform/idempotency/idempotency-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { canAccessSite } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import type { Item, Key } from '#core/platform/table/table.ts';
import { fromKeptMoney } from '#payments/payments/kept-money.ts';
import type { Processor, ProcessorResult } from '#payments/processors/ports/processor.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { askSafely, type ProcessorFor, processorOfTransaction } from '../settlement/processor-flow.ts';
import type { Transaction } from '../transaction/transaction.ts';
import {
  type Alongside,
  getParent,
  getTransaction,
  type Known,
  recordAnswer,
} from '../transaction/transaction-store.ts';
import { type PlanAnswer, planPaymentRefund } from './follow-up.ts';
import {
  type BeginGuards,
  beginFollowUp,
  type OnceGuard,
  readEarlier,
  readTransactionSite,
  transactionMade,
} from './follow-up-store.ts';

export type PaymentRefundRequest = {
  parentTxid: number;
  /** In the currency that was charged; null: what is left. */
  money: Money | null;
  /** Where `money` is null: the currency that the caller expects. */
  currency?: string | undefined;
  /** The dispute alert that it is for; null for none. */
  dispute: RefundDispute | null;
  /** The merchant's own name of the refund, which singletx shares; and the name of any other caller. */
  tid?: string | null;
  idempotencyKey?: string;
  /** The idempotency key of the call. */
  claim?: KeyClaim | undefined;
  /** The caller. */
  by: string;
  /** Although the merchant has answered that it was given back elsewhere. */
  again?: boolean;
  /** The caller who must own the transaction; absent for the service itself, which has checked that before. */
  caller?: Caller;
  /** The payment, if the caller has just read it. */
  parent?: Known;
};

/** The part of a payment's refund that disputes contribute; payments know dispute alerts by number alone. */
export type RefundDispute = {
  alertId: number;
  /** The caller named no alert: this one holds the payment. The same call finds the same refund once the alert is answered. */
  isImplied?: boolean;
  /** Has the alert's payment held for it, if that has not happened yet. */
  findPayment: () => Promise<void>;
  /** Rows that are read together with the site of the payment. */
  keys: readonly (Key | null)[];
  /** Returns the answer to the alert, from those rows; undefined if this refund does not answer it. Throws a Refusal. */
  planAnswer: (rows: readonly (Item | undefined)[]) => PlanAnswer | undefined;
  /** The conditions under which a refund of this number begins; each has its refusal. */
  guardsFor: (txid: number) => BeginGuards;
  /** The writes that accompany the result of the refund. */
  alongside: Alongside;
};

type Means = { processorFor?: ProcessorFor };

/**
 * Refunds a payment through its ledger, or voids an authorisation that is not captured: reserves, asks the processor, and
 * writes what it answered. Killed anywhere in between, settling finishes it (see settle-flow.ts). With a `tid` or an
 * idempotency key it is done once, and answered again as it is then.
 * Throws transaction_not_found, request_invalid, refund_not_allowed, alert_not_found, transaction_state_wrong,
 * amount_not_available, dispute_open, already_refunded_for_dispute, charged_back, tid_reused, idempotency_key_reused, changed_meanwhile, and the
 * refusals of the dispute.
 */
export const refundThroughLedger = async (
  request: PaymentRefundRequest,
  { processorFor = processorOfTransaction }: Means = {},
): Promise<Transaction> => {
  const { dispute, money, currency, tid = null, by, again = false, claim } = request;
  const parent = await withDispute(request, await refundedPayment(request));
  const once = onceGuard(request, parent.transaction);
  const { site, rcode, processors, rows } = await readTransactionSite(
    parent.transaction.sid,
    once?.key,
    ...(dispute?.keys ?? []),
  );
  const [row, ...disputeRows] = rows;
  if (claim?.made !== undefined) return transactionMade(claim.made);
  if (once && row) return readEarlier(row, once);
  const planAnswer = dispute?.planAnswer(disputeRows);
  const processor = await processorFor(parent.transaction, processors);
  const asked = { money, currency, alertId: dispute?.alertId ?? null, tid, by, planAnswer, again };
  const begun = await beginFollowUp(
    parent.ledger,
    (ledger) => {
      checkAlert(request, parent.ledger, ledger);
      return planPaymentRefund(parent.transaction, ledger, asked, { site, at: nowIso() });
    },
    { once, claim },
    dispute?.guardsFor,
  );
  if ('earlier' in begun) return begun.earlier;
  const outcome = await askSafely(() => ask(processor, parent.transaction, begun));
  return recordAnswer(begun, outcome, rcode, dispute?.alongside);
};

/** The payment that a refund names, by its own number or that of its capture. Throws transaction_not_found. */
export const refundedPayment = async ({
  parentTxid,
  caller,
  parent: known,
}: Pick<PaymentRefundRequest, 'parentTxid' | 'caller' | 'parent'>): Promise<Known> => {
  const parent = known ?? (await getParent(parentTxid)) ?? (await paymentOfCapture(parentTxid));
  if (!parent || (caller && !canAccessSite(caller, parent.transaction))) {
    throw new Refusal('transaction_not_found', 'parentxid: you have no such payment.');
  }
  return parent;
};

/** A caller who captured may know the payment by the number of the capture. */
const paymentOfCapture = async (txid: number): Promise<Known | undefined> => {
  const named = await getTransaction(txid);
  return named?.action === 'CAPTURE' ? getParent(named.parentTxid) : undefined;
};

const namedAlertOf = (dispute: RefundDispute | null): number | null =>
  dispute === null || dispute.isImplied ? null : dispute.alertId;

const onceGuard = (
  { money, currency, dispute, tid, idempotencyKey }: PaymentRefundRequest,
  { sid, txid: parentTxid }: Transaction,
): OnceGuard | null => {
  const digest = sha256(
    JSON.stringify([
      ...['REFUND', parentTxid],
      ...(money ? [String(money.minor), money.currency] : ['rest', currency ?? null]),
      namedAlertOf(dispute),
    ]),
  );
  if (tid != null) {
    const reused = new Refusal(
      'tid_reused',
      'tid: was used for another request; send the same body again, or another tid.',
    );
    return { key: keys.tid(sid, sha256(tid)), digest, reused };
  }
  if (idempotencyKey === undefined) return null;
  const reused = new Refusal('idempotency_key_reused', 'The key was used for another refund.');
  return { key: keys.idempotency(`REFUND#${sid}`, sha256(idempotencyKey)), digest, reused };
};

/** An alert that has only just come in may still have to find this payment; who names it shows that it is about this one. */
const withDispute = async ({ dispute, caller }: PaymentRefundRequest, parent: Known): Promise<Known> => {
  if (dispute === null || !caller || parent.ledger.disputes[dispute.alertId]) return parent;
  await dispute.findPayment();
  return (await getParent(parent.transaction.txid)) ?? parent;
};

/**
 * Checks that the alert holds the payment now (`now`). A rule may refund for an alert that never held it, but not for one that held it
 * when the call began (`first`) and was released since. Throws alert_not_found.
 */
const checkAlert = ({ dispute, caller }: PaymentRefundRequest, first: Ledger, now: Ledger): void => {
  if (dispute === null || now.disputes[dispute.alertId]) return;
  if (!caller && !first.disputes[dispute.alertId]) return;
  throw new Refusal('alert_not_found', 'alert_id: you have no such dispute alert on this payment.');
};

const ask = async (
  processor: Processor | undefined,
  parent: Transaction,
  { transaction }: Known,
): Promise<ProcessorResult> => {
  const { idempotencyKey, txid, money, action } = transaction;
  const { processorReference: reference } = parent;
  // Nothing was asked, so this is definite.
  if (!processor || reference === null) return { outcome: 'EXC', code: 'no_processor', reference: null };
  const command = { idempotencyKey, txid, money: fromKeptMoney(money), reference };
  return action === 'VOID' ? processor.void(command) : processor.refund(command);
};
