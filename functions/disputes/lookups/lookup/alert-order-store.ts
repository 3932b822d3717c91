import { nowIso } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import type { Order } from '#payments/orders/order.ts';
import { endsOfArn } from '#payments/orders/order-reference-row.ts';
import { cardEndsOf } from '#payments/orders/order-row.ts';
import { readOrdersOfCard } from '#payments/orders/order-store.ts';
import { matchOrder, type OrderMatch } from './order-match.ts';

/** What an alert says about its payment; texts are empty if it says nothing. */
export type AlertedPayment = {
  /** `411111xxxxxx1111`. */
  card: string;
  arn: string;
  authCode: string;
  amount: string;
  currency: string;
  /** ISO. */
  transactionAt: string;
};

const textOrNone = (text: string): string | undefined => (text === '' ? undefined : text);

/**
 * The merchant's order that an alert is about, by what identifies the payment: its acquirer's number, or code and amount. Points
 * never decide here, because a refund may follow. `content.processor` says where the order's money is; one whose `source` is
 * `payment` has it here. One call of the table; one more for an alert that names no card.
 */
export const findOrderOfAlert = async (mid: number, payment: AlertedPayment): Promise<OrderMatch<Order>> => {
  const ends = endsOfAlert(payment) ?? (await endsByArn(mid, payment));
  if (ends === undefined) return { found: 'none' };
  const { orders, isWhole } = await readOrdersOfCard(mid, ends, payment.transactionAt);
  const asked = {
    arn: textOrNone(payment.arn),
    authCode: textOrNone(payment.authCode),
    amount: textOrNone(payment.amount),
    currency: textOrNone(payment.currency),
    date: textOrNone(payment.transactionAt),
  };
  return matchOrder(asked, orders, { isWhole, usePoints: false });
};

const endsOfAlert = ({ card }: AlertedPayment): string | undefined => {
  const [, first6, last4] = /^(\d{6})\D+(\d{4})$/.exec(card) ?? [];
  return first6 === undefined || last4 === undefined ? undefined : cardEndsOf({ first6, last4 });
};

const endsByArn = async (mid: number, { arn }: AlertedPayment): Promise<string | undefined> =>
  arn === '' ? undefined : endsOfArn(await getItem(keys.orderArn(arn)), mid, nowIso());
