import { readFirst } from '#core/platform/lists/listing-store.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import type {
  GatewayTransaction,
  TransactionSearch,
  TransactionStanding,
} from '#disputes/alerts/automatic/gateway-transaction.ts';
import type { FoundCharge } from '#disputes/connections/charge-search.ts';
import { readConnectionCharge, searchCharges } from '#disputes/connections/charge-search-flow.ts';
import { connectionsFor } from '#disputes/connections/connection.ts';
import { readConnections } from '#disputes/connections/connection-store.ts';
import {
  evidenceWords,
  isNamedBy,
  listFound,
  type MatchedCharge,
  toMatchEvidenceDto,
} from '#disputes/matching/match.ts';
import type { MatchEvidence } from '#disputes/matching/match-evidence.ts';
import { toChargeDto } from '#disputes/refunds/charge.ts';
import { type ChargeCandidate, isTrouble, refundLeft } from '#payments/processors/ports/connected-processor.ts';
import {
  chargedBackSince,
  isChargedBack,
  isRefundedByNetwork,
  isUnsettled,
  refundable,
} from '#payments/transactions/ledger/ledger.ts';
import { listChildSummaries } from '#payments/transactions/transaction/children-store.ts';
import type { Transaction, TxAction } from '#payments/transactions/transaction/transaction.ts';
import { cardSearchScopes, transactionEntity } from '#payments/transactions/transaction/transaction-row.ts';
import { getParent, type Known } from '#payments/transactions/transaction/transaction-store.ts';

const typeOf: Record<TxAction, string> = {
  PAYMENT: 'sale',
  PREAUTH: 'authorization',
  CAPTURE: 'capture',
  REFUND: 'refund',
  VOID: 'void',
  PAYOUT: 'payout',
};

/** A transaction as notifications name it: by the processor's reference, and by our number. */
export const toGatewayTransaction = ({
  txid,
  action,
  processorReference,
  createdAt,
}: Transaction): GatewayTransaction => ({
  payment_gateway_reference: processorReference ?? '',
  payment_gateway_reference2: String(txid),
  payment_gateway_tx_type: typeOf[action],
  payment_gateway_transaction_date: createdAt,
});

/** As many as a notification carries. */
const maxShown = 20;

/** Searches the payments taken here and at all of the merchant's own processors as if they were one list. */
export const findPaymentsOfAlert = async (alert: Alert): Promise<TransactionSearch> => {
  const { match, unasked } = await searchCharges(alert);
  if (match.found === 'one') return standingOne(alert, match);
  const candidates = listFound(match).slice(0, maxShown);
  const transactions = candidates.map(({ charge, evidence }) => ({ ...toChargeDto(charge), ...matchNote(evidence) }));
  if (unasked.length > 0) return { found: 'unavailable', transactions };
  if (match.found !== 'none') return { found: match.found, transactions };
  return { found: (await hasProcessor(alert)) ? 'none' : 'no_processor' };
};

const matchNote = (evidence: MatchEvidence) => ({ comment: evidenceWords(toMatchEvidenceDto(evidence)) });

const standingOne = async (
  alert: Alert,
  { charge, evidence }: MatchedCharge<FoundCharge>,
): Promise<TransactionSearch> => {
  const transaction = toChargeDto(charge);
  const match = toMatchEvidenceDto(evidence);
  const isNamed = isNamedBy(evidence);
  if (charge.txid !== null) {
    const parent = await getParent(charge.txid);
    if (!parent) throw new Error(`Payment ${charge.txid} of alert ${alert.alertId} is gone`);
    return {
      found: 'one',
      transaction: toGatewayTransaction(parent.transaction),
      standing: { ...(await readStanding(parent, alert)), isNamed },
      match,
    };
  }
  // The charge may have changed since the search: Stripe's lags by a minute.
  const now = charge.connection ? await readConnectionCharge(alert, charge.connection.id, charge.reference) : undefined;
  if (!now || isTrouble(now)) return { found: 'unavailable', transactions: [transaction] };
  const { reference, isSettled } = now;
  const place = { connection: charge.connection?.id ?? '', reference, isSettled };
  const standing = { ...standingAt(now), isNamed };
  return { found: 'one', transaction: toChargeDto(now), standing, match, place };
};

const standingAt = (candidate: ChargeCandidate): Omit<TransactionStanding, 'isNamed'> => ({
  currency: candidate.money.currency,
  captured: candidate.captured,
  refunded: candidate.refunded,
  left: candidate.isUnclear ? 0n : refundLeft(candidate),
  ...(candidate.refundedAt !== undefined && { refundedAt: candidate.refundedAt }),
  isChargedBack: candidate.isChargedBack,
  ...(candidate.isRefundedByNetwork && { isRefundedByNetwork: true }),
  ...(candidate.chargedBackAt !== undefined && { chargedBackAt: candidate.chargedBackAt }),
  isSettledForAlert: false,
  isWholeOnly: !candidate.isSettled,
});

/** An authorisation is refunded by voiding it as a whole. */
const readStanding = async (
  { transaction, ledger }: Known,
  { alertId }: Alert,
): Promise<Omit<TransactionStanding, 'isNamed'>> => {
  const dispute = ledger.disputes[alertId];
  const isOpen = isUnsettled(ledger);
  const { authorized, captured, voided, refunded } = ledger;
  const refundedAt = refunded + voided > 0n ? await findLastRefund(transaction) : undefined;
  const chargedBackAt = chargedBackSince(ledger);
  return {
    currency: ledger.currency,
    captured: isOpen || captured === 0n ? authorized : captured,
    refunded: refunded + voided,
    left: isOpen ? authorized - voided : refundable(ledger, alertId),
    ...(refundedAt !== undefined && { refundedAt }),
    isChargedBack: isChargedBack(ledger),
    ...(isRefundedByNetwork(ledger) && { isRefundedByNetwork: true }),
    ...(chargedBackAt !== undefined && { chargedBackAt }),
    isSettledForAlert: dispute !== undefined && (dispute.refundTxid !== null || dispute.byNetwork === true),
  };
};

/** When the last part of a payment was given back. */
const findLastRefund = async (payment: Transaction): Promise<string | undefined> => {
  const children = await listChildSummaries(payment);
  const done = children.filter(({ status, tx_action: action }) => status === 'OK' && action !== 'CAPTURE');
  return done.map(({ created_at: at }) => at).at(-1);
};

/** Checks whether the merchant has a processor that could be asked: a merchant without one gets that answer. */
const hasProcessor = async ({ owner }: Alert): Promise<boolean> => {
  if (!owner) return false;
  if (connectionsFor(await readConnections(owner.mid), owner.sid).length > 0) return true;
  const scope = cardSearchScopes.merchant(owner.mid);
  return (await readFirst({ entity: transactionEntity, scopeIndex: 1, scope, order: 'DESC', size: 1 })).length > 0;
};
