import { dropUndefined } from '#core/kernel/drop-undefined.ts';
import {
  cardOfCharge,
  endsOfCharge,
  type Order,
  type OrderCharge,
  type OrderContent,
  type OrderRefund,
} from '../order.ts';

/** Charges to the cards of an order. A gift card, a second card, captures and edits make them differ from its amount. Pure. */

/** The amount that a bank sees: of an order as one of its charges shows it, that of the charge. */
export const chargedAmountOf = ({ charges, amount }: Pick<OrderContent, 'charges' | 'amount'>): string =>
  (charges?.length === 1 && charges[0]?.amount) || amount;

/**
 * An order as each of its charges to a card shows it: with that card, its numbers, its day and its refunds. A refund that names no charge is shown
 * only if one card paid: the money may have gone to another card. An order without charges is returned as it is.
 * `ends`: of the card; absent: all.
 */
export const chargeViews = (order: Order, ends?: string): readonly Order[] => {
  const { charges = [] } = order.content;
  if (charges.length === 0) return [order];
  const isOneCard = new Set(charges.map((charge) => endsOfCharge(order.content, charge))).size === 1;
  return charges
    .filter((charge) => ends === undefined || endsOfCharge(order.content, charge) === ends)
    .map((charge) => chargeView(order, charge, { isOnly: charges.length === 1, isOneCard }));
};

type Among = { isOnly: boolean; isOneCard: boolean };

const chargeView = (order: Order, charge: OrderCharge, { isOnly, isOneCard }: Among): Order => {
  const { refunds, processor, arn, auth_code, ...content } = order.content;
  const { reference, at = content.transaction_date } = charge;
  const numbers = isOnly ? { arn, auth_code } : {};
  const named = reference ?? (isOnly ? processor?.reference : undefined);
  const isOwn = (refund: OrderRefund) => (refund.charge === undefined ? isOneCard : refund.charge === named);
  const ownRefunds = Object.entries(order.ownRefunds).filter(([, one]) => isOwn(one));
  return {
    ...order,
    ownRefunds: Object.fromEntries(ownRefunds),
    content: {
      ...content,
      ...cardOfCharge(content, charge),
      ...dropUndefined({ ...numbers, ...dropUndefined({ arn: charge.arn, auth_code: charge.auth_code }) }),
      ...{ transaction_date: at, charges: [charge] },
      ...(refunds && { refunds: refunds.filter(isOwn) }),
      ...(processor && { processor: { ...processor, reference: reference ?? processor.reference } }),
    },
  };
};

/** Checks whether a charge at a processor is one of the order's. */
export const hasChargeReference = ({ processor, charges = [] }: OrderContent, reference: string): boolean =>
  processor?.reference === reference || charges.some((charge) => charge.reference === reference);
