import { formatAmount, type Money, parseAmount } from '#core/kernel/money/money.ts';
import { redactText } from '#core/platform/log/redaction.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { canAccessSite } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, type Item } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { alertVisibleTo } from '#disputes/alerts/alert-row.ts';
import { visibleAlert } from '#disputes/alerts/alert-store.ts';
import { isAnswerable } from '#disputes/alerts/answer/refund-answer.ts';
import { takesOutcome } from '#disputes/alerts/answer/update.ts';
import { refundedHereOf } from '#disputes/alerts/automatic/decision-row.ts';
import { disputedMoney } from '#disputes/alerts/disputed-money.ts';
import { needFreshAboveLimit } from '#disputes/alerts/fresh-refund-store.ts';
import { fromHoldItem, type Hold } from '#disputes/alerts/hold-row.ts';
import { linkDispute, settleDispute } from '#disputes/holds/dispute-hold-store.ts';
import { newAlertDeliveryId } from '#messaging/webhooks/delivery/delivery.ts';
import { fromKeptMoney } from '#payments/payments/kept-money.ts';
import { refundThroughLedger } from '#payments/transactions/follow-up/refund-flow.ts';
import { isUnsettled, type Ledger, refundable, wholeSum } from '#payments/transactions/ledger/ledger.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';
import { getParent, getTransaction, type Known } from '#payments/transactions/transaction/transaction-store.ts';
import type { RefundAlertBody } from './api/refund-alert/operation.ts';
import { refundAtConnection, toChargeRefundDto } from './charge-refund-flow.ts';
import { type AnswerAsked, refundDispute } from './refund-dispute-flow.ts';
import { fromRefundItem } from './refund-row.ts';

type Refunded = {
  alert_id: number;
  alert_status: Alert['status'];
  transaction: ReturnType<typeof toRefundDto> | ReturnType<typeof toChargeRefundDto>;
};

/**
 * Refunds the payment of a dispute alert for a person, and answers the alert with it. A repeated call returns the same refund in its present state.
 * Throws alert_not_found, fresh_sign_in_needed, payment_not_linked, alert_closed, alert_takes_no_outcome, and what refundThroughLedger
 * throws.
 */
export const refundForAlert = async (alertId: number, sent: RefundAlertBody, caller: Caller): Promise<Refunded> => {
  const body = maskedBody(sent);
  const [item, delivery, holdItem, refundItem] = await getItems([
    keys.alert(alertId),
    keys.delivery(newAlertDeliveryId(alertId)),
    keys.disputeHold(alertId),
    keys.refund(alertId),
  ]);
  const alert = alertVisibleTo(caller, item);
  const { type } = alert.providerAlert;
  if (!takesOutcome(type)) {
    throw new Refusal('alert_takes_no_outcome', `alert_id: an alert of type ${type} is not answered by a refund.`);
  }
  await needFreshAboveLimit(alert, body, caller);
  const hold = fromHoldItem(holdItem);
  const { connection, reference } = body;
  if (connection !== undefined && reference !== undefined) {
    const failedHere = await failedRefundHere(alertId, refundItem);
    const row = fromRefundItem(refundItem);
    const named = { connection, reference };
    const { refund } = await refundAtConnection(alert, named, { row, failedHere }, { body, caller });
    const { status } = await visibleAlert(alertId, caller);
    return { alert_id: alertId, alert_status: status, transaction: toChargeRefundDto(refund) };
  }
  refuseRefundedElsewhere(refundItem);
  return refundHere(alert, hold, body, { caller, rows: [item, delivery] });
};

/** Refunds the payment that was taken here, and answers the alert with it. `rows`: the alert and its delivery, as they were read. */
const refundHere = async (
  alert: Alert,
  hold: Hold | undefined,
  body: RefundAlertBody,
  { caller, rows }: { caller: Caller; rows: NonNullable<AnswerAsked['rows']> },
): Promise<Refunded> => {
  const { alertId } = alert;
  const parent = await findHeldPayment(alert, hold, body.txid, caller);
  let answered: Alert | undefined;
  const answer: AnswerAsked = {
    reasonCode: body.reason_code,
    comments: body.comments,
    notes: body.merchant_notes,
    rows,
    onAnswered: (after) => {
      answered = after;
    },
  };
  const refund = await refundHeldPayment(alert, parent, body, { caller, answer });
  const { status } = answered ?? (await visibleAlert(alertId, caller));
  return { alert_id: alertId, alert_status: status, transaction: toRefundDto(refund, parent.transaction) };
};

const refuseRefundedElsewhere = (refundItem: Item | undefined): void => {
  const { refund } = fromRefundItem(refundItem) ?? {};
  if (!refund || refund.state === 'failed') return;
  const words = `alert_id: the alert is refunded at connection ${refund.connection}.`;
  throw new Refusal('already_refunded_for_dispute', words);
};

/** Texts that people write are kept without anything that looks like a card number or a secret. */
const maskedBody = ({ comments, merchant_notes, ...rest }: RefundAlertBody): RefundAlertBody => ({
  ...rest,
  ...(comments !== undefined && { comments: redactText(comments) }),
  ...(merchant_notes !== undefined && { merchant_notes: redactText(merchant_notes) }),
});

/**
 * The failed refund of a payment taken here, if there was one: a payment refunded here is not refunded elsewhere as
 * well. Throws already_refunded_for_dispute.
 */
const failedRefundHere = async (alertId: number, refundItem: Item | undefined): Promise<number | null> => {
  const known = refundedHereOf(refundItem);
  if (known === null || (await getTransaction(known))?.status === 'EXC') return known;
  throw new Refusal('already_refunded_for_dispute', `alert_id: refund ${known} was made for dispute alert ${alertId}.`);
};

/** The payment to refund: the one that is named, else the one that the alert holds. Throws payment_not_linked. */
const findHeldPayment = async (
  alert: Alert,
  first: Hold | undefined,
  named: number | undefined,
  caller: Caller,
): Promise<Known> => {
  const hold = first?.txid == null ? await settleHold(alert) : first;
  const held = hold?.txid ?? named;
  if (held === undefined) {
    const several = (hold?.txids.length ?? 0) > 0 ? ' Several fit it: name one of its potential_txids.' : '';
    throw new Refusal('payment_not_linked', `txid: the alert holds no payment.${several}`);
  }
  const parent = await getParent(named ?? held);
  if (parent && caller.key?.sites && !canAccessSite(caller, parent.transaction)) {
    throw new Refusal('payment_not_linked', 'txid: your key is not for the site that took the payment.');
  }
  const isKnown = parent?.ledger.disputes[alert.alertId] !== undefined;
  // An alert that is answered still returns what it has refunded.
  if (parent && isKnown) return parent;
  if (!parent || parent.transaction.mid !== alert.owner?.mid) {
    throw new Refusal('payment_not_linked', 'txid: is not one of the payments that the alert can be about.');
  }
  await linkDispute(alert, parent.transaction.txid, caller.subject);
  return (await getParent(parent.transaction.txid)) ?? parent;
};

/** If an alert has only just come in, its payment may not have been found yet. */
const settleHold = async ({ alertId }: Alert): Promise<Hold | undefined> => {
  await settleDispute(alertId);
  return fromHoldItem(await getItem(keys.disputeHold(alertId)));
};

const refundHeldPayment = async (
  alert: Alert,
  parent: Known,
  body: RefundAlertBody,
  { caller, answer }: { caller: Caller; answer: AnswerAsked },
): Promise<Transaction> => {
  const { alertId } = alert;
  const earlier = await earlierRefund(alertId, parent, body);
  if (earlier) return earlier;
  if (!isAnswerable(alert)) {
    throw new Refusal(
      'alert_closed',
      `alert_id: the alert is ${alert.status}; to refund it anyway, use processrefund.`,
    );
  }
  const order = {
    parent,
    parentTxid: parent.transaction.txid,
    money: moneyFor(alert, parent, body),
    dispute: refundDispute({
      alertId,
      by: caller.subject,
      answer: body.answer === false ? undefined : answer,
      awaited: 'open',
    }),
    by: caller.subject,
  };
  try {
    return await refundThroughLedger(order);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'already_refunded_for_dispute') throw error;
    // The same call came a moment earlier: its refund is the answer to this one too.
    const now = await getParent(parent.transaction.txid);
    const made = now && (await earlierRefund(alertId, now, body));
    if (!made) throw error;
    return made;
  }
};

/** The refund already made for the alert, if it is the one asked for now. Throws already_refunded_for_dispute. */
const earlierRefund = async (
  alertId: number,
  { ledger }: Known,
  body: RefundAlertBody,
): Promise<Transaction | undefined> => {
  const txid = ledger.disputes[alertId]?.refundTxid ?? null;
  const made = txid === null ? undefined : await getTransaction(txid);
  if (!made) return undefined;
  const asked = body.amount === undefined ? undefined : readAmount(body.amount, body.currency ?? ledger.currency);
  const { minor, currency } = fromKeptMoney(made.money);
  if (asked === undefined || (asked.minor === minor && asked.currency === currency)) return made;
  throw new Refusal('already_refunded_for_dispute', `alert_id: refund ${txid} was made for dispute alert ${alertId}.`);
};

const readAmount = (amount: string, currency: string): Money => {
  const money = parseAmount(amount, currency);
  if (typeof money === 'string') throw new Refusal('request_invalid', `amount: ${money}`);
  return money;
};

/** The amount asked for; else the disputed amount, at most what is left. Throws request_invalid. */
const moneyFor = (alert: Alert, { ledger }: Known, { amount, currency }: RefundAlertBody): Money => {
  if (amount !== undefined) return readAmount(amount, currency ?? ledger.currency);
  const minor = isUnsettled(ledger) ? ledger.authorized : disputedPart(alert, ledger);
  return { minor, currency: ledger.currency };
};

const disputedPart = ({ alertId, providerAlert }: Alert, ledger: Ledger): bigint => {
  const disputed = disputedMoney(providerAlert);
  const isStated = disputed !== undefined && disputed.currency === ledger.currency;
  const whole = wholeSum(ledger);
  const wanted = isStated && disputed.minor < whole ? disputed.minor : whole;
  const left = refundable(ledger, alertId);
  // If nothing is left for this alert, the ledger says who has it.
  return left > 0n && left < wanted ? left : wanted;
};

const toRefundDto = (refund: Transaction, payment: Transaction) => ({
  txid: refund.txid,
  parent_txid: refund.parentTxid,
  reference: payment.processorReference ?? '',
  refund_reference: refund.processorReference,
  tx_action: refund.action === 'VOID' ? ('VOID' as const) : ('REFUND' as const),
  status: refund.status,
  amount: formatAmount(fromKeptMoney(refund.money)),
  currency: refund.money.currency,
  error_code: refund.error?.code ?? null,
  error_msg: refund.error?.message ?? null,
});
