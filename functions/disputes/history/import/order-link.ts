import { formatAmount, parseAmount } from '#core/kernel/money/money.ts';
import { chargedAmountOf, chargeViews, hasChargeReference } from '#payments/orders/charges/order-charges.ts';
import type { Order } from '#payments/orders/order.ts';
import type { OrderChanges } from '#payments/orders/schemas.ts';
import type { ChargeCandidate } from '#payments/processors/ports/connected-processor.ts';

/** The reference by which a charge names its order; empty if it names none. */
export const orderReferenceOf = ({ orderReference, secondReference }: ChargeCandidate): string =>
  orderReference ?? secondReference;

const isSameCard = ({ content }: Order, { first6, last4 }: ChargeCandidate): boolean =>
  (first6 === '' || first6 === content.card_firstsix) && (last4 === '' || last4 === content.card_lastfour);

/** Checks whether a charge that names an order paid it: it was captured, and amount, currency and card must agree. */
export const paidOrder = (order: Order, charge: ChargeCandidate): boolean => {
  const views = chargeViews(order);
  return order.source === 'merchant' && charge.captured > 0n && views.some((one) => isPaidWhole(one, charge));
};

const isPaidWhole = (order: Order, charge: ChargeCandidate): boolean => {
  const total = parseAmount(chargedAmountOf(order.content), order.content.currency);
  return (
    typeof total !== 'string' &&
    total.currency === charge.money.currency &&
    total.minor === charge.money.minor &&
    isSameCard(order, charge)
  );
};

/**
 * Returns the charges whose reference and amount no other charge has. A double charge, or a voided first attempt, has the same: an order that
 * named one of them would decide which of them an alert refunds.
 */
export const unambiguousCharges = (charges: readonly ChargeCandidate[]): ChargeCandidate[] => {
  const naming = charges.filter((one) => orderReferenceOf(one) !== '' && one.captured > 0n);
  const groups = Map.groupBy(naming, (one) => [orderReferenceOf(one), one.money.currency, one.money.minor].join('\n'));
  return [...groups.values()].flatMap((group) =>
    group.every(({ reference }) => reference === group[0]?.reference) ? group.slice(-1) : [],
  );
};

/** Checks whether a charge's refund is missing from its order. */
export const lacksRefund = ({ content, ownRefunds }: Order, { refunded }: ChargeCandidate): boolean =>
  refunded > 0n && (content.refunds ?? []).length === 0 && Object.keys(ownRefunds).length === 0;

/** Checks whether an order names a charge as its own. */
export const namesCharge = ({ content }: Order, connection: string, reference: string): boolean =>
  content.processor?.connection === connection && hasChargeReference(content, reference);

/**
 * Returns what changes of an order that a charge paid: where it was charged, unless the merchant has named a charge, and its refund, if
 * `withRefunds`. Null: nothing.
 */
export const changesOfOrder = (
  order: Order,
  charge: ChargeCandidate,
  { connection, withRefunds }: { connection: string; withRefunds: boolean },
): OrderChanges | null => {
  if (!paidOrder(order, charge)) return null;
  const { reference, money, refunded, refundedAt: at } = charge;
  const amount = formatAmount({ minor: refunded, currency: money.currency });
  const isLinked = order.content.processor !== undefined;
  const refunds =
    withRefunds && at !== undefined && lacksRefund(order, charge) ? [{ amount, currency: money.currency, at }] : null;
  if (isLinked && !refunds) return null;
  return { ...(!isLinked && { processor: { connection, reference } }), ...(refunds && { refunds }) };
};
