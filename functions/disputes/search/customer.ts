import { maskKept } from '#core/kernel/card/card.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import { type Order, orderMoneyState, orderRefunds } from '#payments/orders/order.ts';
import { fromKeptMoney } from '#payments/payments/kept-money.ts';
import { type Ledger, moneyStateOf } from '#payments/transactions/ledger/ledger.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';
import type { CustomerReply } from './api/customer-details/operation.ts';
import type { PersonSeen } from './search-hit.ts';

/** One person's purchases. Pure. */

type Purchase = CustomerReply['purchases'][number];

/** When all of an order was delivered, and who signed; null where that is not known. */
const lastDelivery = ({ content: { deliveries = [] } }: Order): Pick<Purchase, 'delivered_at' | 'signed_by'> => {
  const times = deliveries.map(({ delivered_at, downloaded_at }) => delivered_at ?? downloaded_at);
  const isWhole = times.length > 0 && times.every((at) => at !== undefined);
  return {
    delivered_at: isWhole ? (times.toSorted().at(-1) ?? null) : null,
    signed_by: deliveries.find(({ signed_by }) => signed_by !== undefined)?.signed_by ?? null,
  };
};

const ofOrder = (order: Order): Purchase => {
  const { orderId, sid, content, state } = order;
  return {
    ...{ purchase_id: orderId, order_id: orderId, txid: null, sid, at: content.order_date },
    ...{ reference: content.reference, amount: content.amount, currency: content.currency },
    card: maskKept({ first6: content.card_firstsix, last4: content.card_lastfour }),
    status: state === 'paid' ? 'OK' : 'PEND',
    money_state: orderMoneyState(order),
    refunds: orderRefunds(order).map(({ amount, currency, at }) => ({ amount, currency, at })),
    items: content.items.map(({ name }) => name),
    ...lastDelivery(order),
    liability_shift: null,
    ip: content.device?.ip ?? null,
    device_id: content.device?.device_id ?? content.device?.device_fingerprint ?? null,
  };
};

const ofPayment = (payment: Transaction, ledger: Ledger | undefined): Purchase => ({
  ...{ purchase_id: payment.txid, order_id: null, txid: payment.txid, sid: payment.sid, at: payment.createdAt },
  reference: payment.reference ?? payment.tid ?? '',
  ...{ amount: formatAmount(fromKeptMoney(payment.money)), currency: payment.money.currency },
  card: payment.card && maskKept(payment.card),
  status: payment.status,
  money_state: ledger ? moneyStateOf(ledger) : null,
  refunds:
    ledger && ledger.refunded > 0n
      ? [
          {
            ...{
              amount: formatAmount({ minor: ledger.refunded, currency: ledger.currency }),
              currency: ledger.currency,
            },
            at: payment.updatedAt,
          },
        ]
      : [],
  ...{ items: [], delivered_at: null, signed_by: null, ip: null, device_id: null },
  liability_shift: payment.threeDs?.own?.liabilityShift ?? null,
});

/** A purchase of an order and the payment of it that was taken here, of which one may be missing. */
export const toPurchase = (order: Order | undefined, payment: Transaction | undefined, ledger: Ledger | undefined) => {
  const [bought, paid] = [order && ofOrder(order), payment && ofPayment(payment, ledger)];
  if (!bought || !paid) return bought ?? paid;
  const { txid, status, money_state, liability_shift } = paid;
  return {
    ...bought,
    ...{ txid, status, money_state, liability_shift },
    refunds: bought.refunds.length > 0 ? bought.refunds : paid.refunds,
  };
};

/** The values of some purchases with their counts, the most frequent first. */
export const countValues = (values: readonly (string | null)[]): { value: string; purchases: number }[] =>
  [
    ...Map.groupBy(
      values.filter((value) => value !== null),
      (value) => value,
    ),
  ]
    .map(([value, all]) => ({ value, purchases: all.length }))
    .toSorted((one, other) => other.purchases - one.purchases);

/** The names under which processors know a purchase's charges, as they spell them. */
export const chargeReferences = ({ order, payment }: { order?: Order; payment?: Transaction }): string[] =>
  [
    ...[order?.payment?.reference, order?.content.processor?.reference, payment?.processorReference],
    ...(order?.content.charges ?? []).map(({ reference }) => reference),
  ].flatMap((reference) => reference ?? []);

/** The kind and the number of the dispute that an order is marked with. */
export const disputeNameOf = ({ alertId, chargebackId }: Order['disputes'][number]): string =>
  chargebackId === undefined ? `alert ${alertId}` : `chargeback ${chargebackId}`;

/** Checks whether purchases are one purchase, or all of one address or, without one, of one account. */
export const isOnePerson = (people: readonly PersonSeen[]): boolean => {
  const names = new Set(people.map(({ email, account }) => email ?? (account === null ? null : `#${account}`)));
  return new Set(people.map(({ purchase }) => purchase)).size <= 1 || (names.size === 1 && !names.has(null));
};
