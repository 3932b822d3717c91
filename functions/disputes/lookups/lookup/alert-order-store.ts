import { nowIso } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { matchCharges } from '#disputes/matching/match.ts';
import { type ChargeFacts, type DisputedTransaction, endsOfCard } from '#disputes/matching/match-evidence.ts';
import { type Order, orderMinorOf } from '#payments/orders/order.ts';
import { endsOfArn } from '#payments/orders/order-reference-row.ts';
import { cardEndsOf } from '#payments/orders/order-row.ts';
import { readOrdersOfCard } from '#payments/orders/order-store.ts';

/** The order of an alert, if exactly one is certain. */
export type OrderOfAlert = { found: 'one'; order: Order } | { found: 'many' | 'none' };

/**
 * The merchant's order that an alert is about, by a number that identifies the payment: agreements of card, amount and day never decide
 * here, because a refund may follow, and not every charge has an order. `content.processor` says where the order's money is; one whose
 * `source` is `payment` has it here. One call of the table; one more for an alert that names no card.
 */
export const findOrderOfAlert = async (mid: number, disputed: DisputedTransaction): Promise<OrderOfAlert> => {
  const card = endsOfCard(disputed.card);
  const ends = card ? cardEndsOf(card) : await endsByArn(mid, disputed);
  if (ends === undefined) return { found: 'none' };
  const { orders, isWhole } = await readOrdersOfCard(mid, ends, disputed.transactionAt || undefined);
  const paid = orders.filter(({ state }) => state === 'paid');
  const match = matchCharges(disputed, paid, { factsOf: orderFactsOf, isWhole });
  if (match.found === 'one') {
    return match.evidence.level === 'certain' ? { found: 'one', order: match.charge } : { found: 'none' };
  }
  const isCertain = match.found === 'many' && match.candidates[0]?.evidence.level === 'certain';
  return { found: isCertain ? 'many' : 'none' };
};

const orderFactsOf = ({ content }: Order): ChargeFacts => {
  const { card_firstsix: first6, card_lastfour: last4, card_type: brand, amount, currency, processor } = content;
  const minor = orderMinorOf(amount, currency);
  return {
    first6,
    last4,
    brand: brand ?? null,
    arn: content.arn ?? null,
    authCode: content.auth_code ?? null,
    money: { minor, currency },
    captured: minor,
    date: content.transaction_date,
    descriptor: content.descriptor ?? '',
    references: [content.network_transaction_id ?? '', processor?.reference ?? ''],
  };
};

const endsByArn = async (mid: number, { arn }: DisputedTransaction): Promise<string | undefined> =>
  arn === '' ? undefined : endsOfArn(await getItem(keys.orderArn(arn)), mid, nowIso());
