import { maskCardNumbers } from '#core/kernel/card/card-numbers.ts';
import type { Order } from './order.ts';

/** An order on the wire: what its merchant sent, and what else is known. */
export const toOrderDto = ({ orderId, mid, rid, sid, source, content, disputes, ownRefunds, ...order }: Order) => ({
  order_id: orderId,
  sid,
  mid,
  rid,
  source,
  disputed: disputes.length > 0,
  created_at: order.createdAt,
  updated_at: order.updatedAt,
  kept_until: order.keptUntil,
  ...content,
  items: content.items.map((item) => ({ ...item })),
  refunds_made: Object.values(ownRefunds).map((refund) => ({ ...refund })),
});

/** The name of who bought an order: the customer's, or else that of an address. Its two parts may make up a card number. */
export const buyerName = ({ content: { customer, shipping, billing } }: Order): string | null => {
  const full = maskCardNumbers([customer?.firstname, customer?.lastname].filter(Boolean).join(' '));
  return full || (billing?.name ?? shipping?.name ?? null);
};

const maxItemsNamed = 3;

/** The buyer and the goods, as rows of lists show them. `email`: of the payment. */
export const toBuyerFields = (order: Order | undefined, email: string | null = null) => ({
  buyer: (order && (buyerName(order) ?? order.content.customer?.email)) ?? email,
  items: order?.content.items.slice(0, maxItemsNamed).map(({ name }) => name) ?? [],
});
