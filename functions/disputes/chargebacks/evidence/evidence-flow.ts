import { nowIso } from '#core/kernel/clock.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, transact } from '#core/platform/table/table.ts';
import { sendAll } from '#core/platform/work/queue-store.ts';
import { fromAlertItem } from '#disputes/alerts/alert-row.ts';
import { findOrderOfAlert } from '#disputes/lookups/lookup/alert-order-store.ts';
import { orderEvidenceForCaller as evidenceOfOrder } from '#disputes/lookups/order/order-details-store.ts';
import { getOrder } from '#payments/orders/order-store.ts';
import { resultOf } from '#payments/transactions/transaction/transaction.ts';
import { toTransactionDto } from '#payments/transactions/transaction/transaction-dto-row.ts';
import { getParent, type Known } from '#payments/transactions/transaction/transaction-store.ts';
import { type Chargeback, placeOf, whyTooLate, withEvidence } from '../chargeback.ts';
import { chargebackForCaller } from '../chargeback-access-store.ts';
import { chargebackDue } from '../chargeback-due.ts';
import { chargebackWrite, toChargebackDto } from '../chargeback-row.ts';
import { portOf } from '../look/port-flow.ts';
import { type Assembled, type AssembledPayment, disputeEvidenceOf } from './chargeback-evidence.ts';

/** The evidence against a chargeback, from its payment and the order that the payment was for. Throws chargeback_not_found. */
export const chargebackEvidenceForCaller = async (id: string, caller: Caller): Promise<Assembled> =>
  assembleEvidence(await chargebackForCaller(id, caller), caller);

const assembleEvidence = async (chargeback: Chargeback, caller: Caller): Promise<Assembled> => {
  const { txid } = chargeback;
  const [payment, orderId] = await Promise.all([txid === null ? undefined : getParent(txid), orderOf(chargeback)]);
  return {
    chargeback: toChargebackDto(chargeback),
    payment: payment ? paymentDto(payment) : null,
    order_evidence: orderId === undefined ? null : await evidenceOfOrder(orderId, caller),
  };
};

/** The order of the payment; of a charge at a connection the one that its alert's numbers name. */
const orderOf = async ({ txid, alertId, mid }: Chargeback): Promise<number | undefined> => {
  if (txid !== null) return (await getOrder(txid))?.orderId;
  const item = alertId === null ? undefined : await getItem(keys.alert(alertId));
  const match = item && (await findOrderOfAlert(mid, fromAlertItem(item).providerAlert));
  return match?.found === 'one' ? match.order.orderId : undefined;
};

const paymentDto = ({ transaction, ledger }: Known): AssembledPayment => ({
  ...toTransactionDto(transaction),
  descriptor: transaction.descriptor,
  email: transaction.email,
  refunded: formatAmount({ minor: ledger.refunded, currency: ledger.currency }),
  three_ds: resultOf(transaction).three_ds ?? null,
});

/**
 * The same, and submits it to the processor, unless that is already done. After a crash or a lost reply it is submitted again: a
 * processor takes evidence only once. Throws chargeback_not_found, chargeback_over, evidence_refused,
 * changed_meanwhile.
 */
export const submitForCaller = async (id: string, caller: Caller): Promise<Assembled> => {
  const chargeback = await chargebackForCaller(id, caller);
  const evidence = await assembleEvidence(chargeback, caller);
  if (chargeback.evidence) return evidence;
  const late = whyTooLate(chargeback, nowIso());
  if (late !== undefined) throw new Refusal('chargeback_over', late);
  const port = await portOf(placeOf(chargeback));
  if (!port?.submit) {
    throw new Refusal('evidence_refused', `${chargeback.processor} takes it only in its portal: ask for the archive.`);
  }
  const done = await port.submit(chargeback.reference, disputeEvidenceOf(evidence));
  if (done !== 'done' && 'refused' in done)
    throw new Refusal('evidence_refused', `Its processor says: ${done.refused}`);
  if (done !== 'done') {
    throw new Refusal('evidence_refused', `${done.unknown}. Ask again: it is submitted once.`);
  }
  const after = await retryOnConflict(() => record(id, caller), { onExhausted: changedMeanwhile });
  await sendAll([chargebackDue.message({ chargebackId: id })]);
  return { ...evidence, chargeback: toChargebackDto(after) };
};

const record = async (id: string, caller: Caller): Promise<Chargeback> => {
  const before = await chargebackForCaller(id, caller);
  const after = withEvidence(before, caller.subject, nowIso());
  if (!after) return before;
  await transact({ chargeback: chargebackWrite(after) });
  return after;
};
