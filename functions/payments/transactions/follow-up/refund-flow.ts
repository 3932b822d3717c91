import { nowIso } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import type { Money } from '#core/kernel/money/money.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { canAccessMerchant } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import type { Item, Key } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { fromAlertItem } from '#disputes/alerts/alert-row.ts';
import { checkRefundCode } from '#disputes/alerts/answer/refund-answer.ts';
import type { Awaited } from '#disputes/alerts/history/history-row.ts';
import { moneyOf } from '#payments/payments/kept-money.ts';
import type { Outcome, Processor } from '#payments/processors/ports/processor.ts';
import { settleDispute } from '../dispute/dispute-store.ts';
import { answerOf, type ProcessorFor, processorOfTransaction } from '../settlement/processor-flow.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { getParent, getTransaction, type Known, recordAnswer } from '../transaction/transaction-store.ts';
import { planRefund, type RefundAsked } from './follow-up.ts';
import { beginFollowUp, earlierOf, type Once, readOwner } from './follow-up-store.ts';
import { answering } from './refund-answer-store.ts';

export type RefundOrder = {
  parentTxid: number;
  /** In the currency that was charged. */
  money: Money;
  /** The dispute alert that it answers: what that holds may be taken, and only once. */
  alertId: number | null;
  /** The merchant's own name of the refund, which singletx shares; and the name of any other caller. */
  tid?: string | null;
  idempotencyKey?: string;
  /** How the alert is answered once it is refunded; absent: not by this. */
  answer?: AnswerAsked | undefined;
  /** Who asked. */
  by: string;
  /** Although the merchant has answered that it was given back elsewhere. */
  again?: boolean;
  /** Whose transactions it may be; absent for the service itself, which has looked for that before. */
  caller?: Caller;
  /** What the alert must be when the refund is reserved; absent: whatever it is. */
  awaited?: Awaited;
  /** The payment, by whoever has just read it. */
  parent?: Known;
};

export type AnswerAsked = {
  reasonCode?: string | undefined;
  comments?: string | undefined;
  notes?: string | undefined;
  /** The alert with its first notification, and who is told of it once it is answered; absent: they are read. */
  rows?: readonly [alert: Item | undefined, delivery: Item | undefined];
  onAnswered?: (alert: Alert | undefined) => void;
};

type Means = { processorFor?: ProcessorFor };

/**
 * Refunds a payment through its ledger, or voids an authorisation that is not captured: reserves, asks the processor, and
 * writes what it answered. Killed anywhere in between, settling finishes it (see settle-flow.ts). With a `tid` or an
 * idempotency key it is done once, and answered again as it is then.
 * Throws transaction_not_found, request_invalid, refund_not_allowed, alert_not_found, transaction_state_wrong,
 * already_refunded_for_dispute, alert_closed, reason_code_invalid, amount_not_available, dispute_open, tid_reused, idempotency_key_reused, changed_meanwhile.
 */
export const refundThroughLedger = async (
  order: RefundOrder,
  { processorFor = processorOfTransaction }: Means = {},
): Promise<Transaction> => {
  const parent = await withDispute(order, await parentOf(order));
  const once = onceOf(order, parent.transaction);
  const { site, rcode, processors, rows } = await readOwner(parent.transaction.sid, once?.key, ...answerKeysOf(order));
  const [row, alertItem, alertSite] = rows;
  if (once && row) return earlierOf(row, once);
  checkAlert(order, parent);
  const [known, delivery] = order.answer?.rows ?? [];
  const answers = answersOf(order, known ?? alertItem);
  const processor = await processorFor(parent.transaction, processors);
  const { money, alertId, tid = null, by, again = false } = order;
  const begun = await beginFollowUp(
    parent.ledger,
    (ledger) =>
      planRefund(parent.transaction, ledger, { money, alertId, tid, by, answers, again }, { site, at: nowIso() }),
    once,
    order.awaited,
  );
  if ('earlier' in begun) return begun.earlier;
  return recordAnswer(
    begun,
    await answerOf(() => ask(processor, parent.transaction, begun)),
    rcode,
    answering(known && [known, delivery, alertSite], order.answer?.onAnswered),
  );
};

/** What of an alert that is to be answered is not read yet: itself, or at last its site. */
const answerKeysOf = ({ alertId, answer }: RefundOrder): readonly (Key | null)[] => {
  if (!answer || alertId === null) return [];
  const [item] = answer.rows ?? [];
  const sid = item && fromAlertItem(item).owner?.sid;
  return sid === undefined ? [keys.alert(alertId)] : [null, keys.site(sid)];
};

/** The alert that this refund is to answer. Throws reason_code_invalid. */
const answersOf = ({ answer, by }: RefundOrder, alertItem: Item | undefined): RefundAsked['answers'] => {
  const alert = alertItem && fromAlertItem(alertItem);
  if (!answer || !alert?.owner) return undefined;
  const { alertId, owner, providerAlert } = alert;
  const { reasonCode, comments, notes } = answer;
  checkRefundCode(providerAlert, reasonCode);
  return {
    providerAlert,
    answer: {
      alertId,
      sid: owner.sid,
      by,
      ...(reasonCode !== undefined && { reasonCode }),
      ...(comments !== undefined && { comments }),
      ...(notes !== undefined && { notes }),
    },
  };
};

const parentOf = async ({ parentTxid, caller, parent: known }: RefundOrder): Promise<Known> => {
  const parent = known ?? (await getParent(parentTxid)) ?? (await paymentOfCapture(parentTxid));
  if (!parent || (caller && !canAccessMerchant(caller, parent.transaction.mid))) {
    throw new Refusal('transaction_not_found', 'parentxid: you have no such payment.');
  }
  return parent;
};

/** Who captured may know the payment by the number of that. */
const paymentOfCapture = async (txid: number): Promise<Known | undefined> => {
  const named = await getTransaction(txid);
  return named?.action === 'CAPTURE' ? getParent(named.parentTxid) : undefined;
};

const onceOf = (
  { money, alertId, tid, idempotencyKey }: RefundOrder,
  { sid, txid: parentTxid }: Transaction,
): Once | null => {
  const digest = sha256(JSON.stringify(['REFUND', parentTxid, String(money.minor), money.currency, alertId]));
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
const withDispute = async ({ alertId, caller }: RefundOrder, parent: Known): Promise<Known> => {
  if (alertId === null || !caller || parent.ledger.disputes[alertId]) return parent;
  await settleDispute(alertId);
  return (await getParent(parent.transaction.txid)) ?? parent;
};

/** A merchant can only name an alert that is known to be about this payment. */
const checkAlert = ({ alertId, caller }: RefundOrder, { ledger }: Known): void => {
  if (alertId === null || !caller || ledger.disputes[alertId]) return;
  throw new Refusal('alert_not_found', 'alert_id: you have no such dispute alert on this payment.');
};

const ask = async (processor: Processor | undefined, parent: Transaction, { transaction }: Known): Promise<Outcome> => {
  const { idempotencyKey, txid, money, action } = transaction;
  const { processorReference: reference } = parent;
  // Nothing was asked, so this is definite.
  if (!processor || reference === null) return { outcome: 'EXC', code: 'no_processor', reference: null };
  const command = { idempotencyKey, txid, money: moneyOf(money), reference };
  return action === 'VOID' ? processor.void(command) : processor.refund(command);
};
