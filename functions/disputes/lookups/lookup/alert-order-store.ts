import { nowIso } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { listFound, matchCharges } from '#disputes/matching/match.ts';
import {
  type ChargeFacts,
  type DisputedTransaction,
  endsOfCard,
  type MatchEvidence,
} from '#disputes/matching/match-evidence.ts';
import { chargedAmountOf, chargeViews } from '#payments/orders/charges/order-charges.ts';
import { type Order, orderMinorOf } from '#payments/orders/order.ts';
import { endsOfArn } from '#payments/orders/order-reference-row.ts';
import { cardEndsOf } from '#payments/orders/order-row.ts';
import { readOrdersOfCard } from '#payments/orders/order-store.ts';

/** The order of an alert, if exactly one is certain. `charged`: as the charge that the alert is about shows it. */
export type OrderOfAlert = { found: 'one'; order: Order; charged: Order } | { found: 'many' | 'none' };

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
  const views = paid.flatMap((order) => chargeViews(order, ends));
  const match = matchCharges(disputed, views, { factsOf: orderFactsOf, isWhole });
  if (match.found === 'none' || match.found === 'uncertain') return { found: 'none' };
  const candidates = listFound(match);
  const [best] = candidates;
  if (best?.evidence.level !== 'certain' || !isNumberedOrEqual(best.evidence)) return { found: 'none' };
  const order = paid.find(({ orderId }) => orderId === best.charge.orderId);
  const isOne = candidates.every(({ charge }) => charge.orderId === best.charge.orderId);
  return order && isOne && (match.found === 'one' || isWhole)
    ? { found: 'one', order, charged: best.charge }
    : { found: 'many' };
};

/** Authorization codes repeat, so that an order with another amount is another purchase unless a number names its charge. */
const isNumberedOrEqual = ({ verdicts }: MatchEvidence): boolean =>
  verdicts.arn === 'agrees' || verdicts.reference === 'agrees' || verdicts.amount === 'agrees';

const orderFactsOf = ({ content }: Order): ChargeFacts => {
  const { card_firstsix: first6, card_lastfour: last4, card_type: brand, currency, processor } = content;
  const minor = orderMinorOf(chargedAmountOf(content), currency);
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
