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
