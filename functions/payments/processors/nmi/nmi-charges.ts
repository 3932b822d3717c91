import { sha256 } from '#core/kernel/crypto.ts';
import { type ChargeCandidate, type ChargeRefundRequest, searchStart } from '../ports/connected-processor.ts';
import type { NmiTransaction } from './nmi-transaction.ts';
import { nmiCaptured, nmiRefundedOf } from './nmi-transaction.ts';

/** Charges of an NMI account, and which refund belongs to which charge. Pure. */

const findSale = ({ actions }: NmiTransaction) =>
  actions.find(({ type, isSuccess }) => isSuccess && (type === 'sale' || type === 'auth'));

/** A sale or an authorisation that succeeded. */
export const isCharge = (transaction: NmiTransaction): boolean =>
  findSale(transaction) !== undefined && transaction.condition !== 'failed';

const refundStep = ({ actions }: NmiTransaction) =>
  actions.find(({ type, isSuccess }) => isSuccess && (type === 'refund' || type === 'credit'));

/** A refund that is a transaction of its own. */
export const isRefund = (transaction: NmiTransaction): boolean =>
  findSale(transaction) === undefined && refundStep(transaction) !== undefined && transaction.condition !== 'canceled';

/** The order id of our refund there: made of the charge, so that the refund is recognised as its own, and of the refund's key. */
export const refundReference = (charge: string, key: string): string => `fw-${charge}-${sha256(key).slice(0, 16)}`;

const refundMinor = (transaction: NmiTransaction): bigint => refundStep(transaction)?.minor ?? 0n;

/** Which charge a refund names; null if it names none that is known. */
const chargeNamedBy = ({ originalId, orderId }: NmiTransaction, charges: readonly NmiTransaction[]): string | null => {
  const [, own = ''] = /^fw-(\d{1,20})-[\da-f]{16}$/.exec(orderId) ?? [];
  const id = originalId || own;
  if (id !== '') return id;
  const alike = orderId === '' ? [] : charges.filter((charge) => charge.orderId === orderId);
  return alike.length === 1 ? (alike[0]?.id ?? null) : null;
};

/** A refund that names no charge may belong to any earlier charge that is at least as large. */
const mayRefund = (refund: NmiTransaction, charge: NmiTransaction): boolean =>
  (refundStep(refund)?.at ?? '') >= (findSale(charge)?.at ?? '') && refundMinor(refund) <= nmiCaptured(charge);

/** A charge as a candidate, given all charges of its card and the refunds to that card. */
export const nmiCandidateOf = (
  charge: NmiTransaction,
  charges: readonly NmiTransaction[],
  refunds: readonly NmiTransaction[],
): ChargeCandidate => {
  const { id, orderId, currency, condition, authCode, bin, card, subscriptionId, actions } = charge;
  const made = findSale(charge);
  const taken = actions.find(({ type, isSuccess }) => type === 'return' && isSuccess);
  const whole = made?.minor ?? 0n;
  const isVoided = condition === 'canceled';
  const own = refunds.filter((refund) => chargeNamedBy(refund, charges) === id);
  const unnamed = refunds.filter((refund) => chargeNamedBy(refund, charges) === null && mayRefund(refund, charge));
  return {
    reference: id,
    secondReference: orderId,
    type: made?.type ?? '',
    date: made?.at ?? '',
    money: { minor: whole, currency },
    first6: bin.slice(0, 6),
    last4: card.slice(-4),
    authCode: authCode || null,
    arn: null,
    // For an alert, a voided charge counts as taken and given back.
    captured: isVoided ? whole : nmiCaptured(charge),
    refunded: isVoided ? whole : nmiRefundedOf(charge) + own.reduce((sum, refund) => sum + refundMinor(refund), 0n),
    isChargedBack: taken !== undefined,
    ...(taken && { chargedBackAt: taken.at }),
    isSettled: condition === 'complete',
    isUnclear: unnamed.length > 0,
    subscription: subscriptionId || null,
    descriptor: '',
  };
};

/**
 * Returns the reference of what refunded a refund order's amount since the order was begun: a void of the whole, or a refund of that
 * amount. Null: nothing.
 */
export const reversalSince = (
  charge: NmiTransaction,
  refunds: readonly NmiTransaction[],
  request: ChargeRefundRequest,
): string | null => {
  const since = searchStart(request);
  const { minor } = request.money;
  const isVoid = charge.actions.some(({ type, isSuccess, at }) => type === 'void' && isSuccess && at >= since);
  if (charge.condition === 'canceled' && isVoid) return charge.id;
  const within = charge.actions.some(
    ({ type, isSuccess, at, minor: given }) => type === 'refund' && isSuccess && at >= since && given === minor,
  );
  if (within) return charge.id;
  const own = refunds.find(
    (refund) =>
      chargeNamedBy(refund, [charge]) === charge.id &&
      refundMinor(refund) === minor &&
      (refundStep(refund)?.at ?? '') >= since,
  );
  return own?.id ?? null;
};
