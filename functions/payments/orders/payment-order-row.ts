import type { Scheme } from '#core/kernel/card/schemes.ts';
import type { Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import type { Order, OrderPayment, OrderRefund } from './order.ts';
import { type Placed, toPlaced, toPlaceItem } from './order-place-row.ts';
import { arnWrite, ReferenceRow, referenceKey } from './order-reference-row.ts';
import { toOrderItem, ttlAt } from './order-row.ts';

/** The parts of payments' own transactions that keep their orders up to date. */

/** The facts that a payment stores about its order, so that later events can find and list the order without reading it. */
export type OrderMark = {
  /** ISO; of the order's transaction, which its key has. */
  at: string;
  reference: string;
  /** Scopes of lists; see order-row.ts. */
  account: string | null;
  email: string | null;
  keptUntil: string;
};

/** A payment that the service took, as far as its order is concerned. */
export type PaymentOfOrder = {
  txid: number;
  mid: number;
  sid: number;
  card: { scheme: Scheme; first6: string; last4: string };
  order: OrderMark;
};

export const orderMarkOf = (order: Order): OrderMark => {
  const { account, email } = toPlaced(order);
  const { keptUntil, content } = order;
  return { at: content.transaction_date, reference: content.reference, account, email, keptUntil };
};

/** The key of the order that was made from a payment. */
export const paidOrderKey = ({ txid, mid, card, order }: Pick<PaymentOfOrder, 'txid' | 'mid' | 'card' | 'order'>) =>
  keys.order(mid, `${card.first6}-${card.last4}`, order.at, txid);

/** The part that creates the order of a new payment. It has no condition, so that it can never prevent a payment. */
export const unpaidOrderWrite = (order: Order): Write => ({ Put: { Item: toOrderItem(order) } });

/** The part that removes it if the payment failed. */
export const failedOrderWrite = (payment: PaymentOfOrder): Write => ({ Delete: { Key: paidOrderKey(payment) } });

/** The changes of an order by a payment's event; a refund of null is one that was returned. */
export type PaymentNews = {
  sums: Pick<OrderPayment, 'captured' | 'refunded' | 'voided'>;
  at: string;
  arn: string | null;
  authCode: string | null;
  refund?: { txid: number; refund: OrderRefund | null };
};

/** The charged amount, the processor that charged it, and its name for it. */
export type PaymentCharge = { amount: string; currency: string; processor: string | null; reference: string | null };

/**
 * The part that writes it; `charge`: of a payment that has just been made. Its condition fails if the order is gone: its merchant has
 * deleted it, or its time is over. The version goes up, so that a writer who read the order before does not overwrite it.
 */
const newsWrite = (payment: PaymentOfOrder, news: PaymentNews, charge?: PaymentCharge): Write => {
  const { arn, authCode, refund } = news;
  const fields = {
    payment: news.sums,
    updatedAt: news.at,
    ...(charge && { state: 'paid', charge: { processor: charge.processor, reference: charge.reference } }),
    ...(arn !== null && { arn }),
    ...(authCode !== null && { authCode }),
  };
  const names = Object.keys(fields);
  const refundSet = refund?.refund ? ', #refunds.#txid = :refund' : '';
  const refundGone = refund?.refund === null ? ' REMOVE #refunds.#txid' : '';
  return {
    Update: {
      Key: paidOrderKey(payment),
      UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}${refundSet}${refundGone} ADD #version :one`,
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: {
        '#version': 'version',
        ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ...(refund && { '#refunds': 'ownRefunds', '#txid': String(refund.txid) }),
      },
      ExpressionAttributeValues: {
        ':one': 1,
        ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`:${name}`, value])),
        ...(refund?.refund && { ':refund': refund.refund }),
      },
    },
  };
};

/** Like arnWrite, from what a payment knows about its order. */
const arnWrites = ({ mid, card, order }: PaymentOfOrder, arn: string | null): Write[] =>
  arn === null ? [] : [arnWrite({ mid, ends: `${card.first6}-${card.last4}`, keptUntil: order.keptUntil }, arn)];

/** In place of a digest: whatever a merchant sends under this reference is a different order. */
const ofPayment = 'payment';

/** Two payments of a site may have the same reference: the first one keeps it. */
const referenceWrite = ({ txid, sid, order }: PaymentOfOrder): Write => {
  const own = { id: txid, digests: [ofPayment], keptUntil: order.keptUntil, ttl: ttlAt(order.keptUntil) };
  const fields = { ...ReferenceRow.stamp, ...own };
  const names = Object.keys(fields);
  return {
    Update: {
      Key: referenceKey(sid, order.reference),
      UpdateExpression: `SET ${names.map((name) => `#${name} = if_not_exists(#${name}, :${name})`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(Object.entries(fields).map(([name, value]) => [`:${name}`, value])),
    },
  };
};

const placePaid = (payment: PaymentOfOrder, { amount, currency }: PaymentCharge): Placed => {
  const { txid, mid, sid, card, order } = payment;
  const { at, reference, account, email, keptUntil } = order;
  return {
    orderId: txid,
    mid,
    sid,
    source: 'payment',
    createdAt: at,
    keptUntil,
    account,
    email,
    disputed: false,
    content: {
      reference,
      order_date: at,
      transaction_date: at,
      amount,
      currency,
      card_firstsix: card.first6,
      card_lastfour: card.last4,
      card_type: card.scheme,
    },
  };
};

/** The parts that show the order of a completed payment to look-ups and lists. The first one has a condition. */
export const paidOrderWrites = (payment: PaymentOfOrder, news: PaymentNews, charge: PaymentCharge): Write[] => [
  newsWrite(payment, news, charge),
  { Put: { Item: toPlaceItem(placePaid(payment, charge)) } },
  referenceWrite(payment),
  ...arnWrites(payment, news.arn),
];

/** The parts that show a capture, a refund or a void in the order of its payment. The first one has a condition. */
export const followedOrderWrites = (payment: PaymentOfOrder, news: PaymentNews): Write[] => [
  newsWrite(payment, news),
  ...arnWrites(payment, news.arn),
];
