import { milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { log } from '#core/platform/log/log.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { getItems } from '#core/platform/table/table.ts';
import { completeOrder } from '#payments/orders/change-store.ts';
import type { Order } from '#payments/orders/order.ts';
import { fromReferenceItem, referenceKey } from '#payments/orders/order-reference-row.ts';
import {
  type ChargeCandidate,
  type ConnectedProcessor,
  isTrouble,
} from '#payments/processors/ports/connected-processor.ts';
import type { HistoryImport } from './history-import.ts';
import {
  changesOfOrder,
  lacksRefund,
  namesCharge,
  orderReferenceOf,
  paidOrder,
  unambiguousCharges,
} from './order-link.ts';

type Linked = { orders: number; refunds: number };
type Named = { charge: ChargeCandidate; orderId: number };

/** DynamoDB's limit for one call. */
const keysPerCall = 100;
/** The time for which a page's refunds are asked about, so that a slow processor does not outlast the worker. */
const lookMilliseconds = 15 * milliseconds.second;
/** The number of orders that are changed at once. */
const atOnce = 10;

/** The orders that charges name, among those of the sites. */
const findOrders = async (charges: readonly ChargeCandidate[], sids: readonly number[]): Promise<Named[]> => {
  const byReference = Map.groupBy(unambiguousCharges(charges), orderReferenceOf);
  const wanted = [...byReference].flatMap(([reference, naming]) =>
    sids.map((sid) => ({ naming, key: referenceKey(sid, reference) })),
  );
  const named: Named[] = [];
  for (let from = 0; from < wanted.length; from += keysPerCall) {
    const some = wanted.slice(from, from + keysPerCall);
    const items = await getItems(some.map(({ key }) => key));
    named.push(
      ...some.flatMap(({ naming }, index) => {
        const found = fromReferenceItem(items[index], nowIso());
        return found ? naming.map((charge) => ({ charge, orderId: found.id })) : [];
      }),
    );
  }
  return named;
};

/**
 * Notes at the orders that a page of charges names where they were charged, and their refunds. Repeating it changes nothing. Returns how
 * many orders name their charge, and how many got a refund.
 */
export const linkOrders = async (
  { connection, parts }: HistoryImport,
  charges: readonly ChargeCandidate[],
  { connected, sids }: { connected: ConnectedProcessor; sids: readonly number[] },
): Promise<Linked> => {
  const settings = { connection, withRefunds: parts.includes('refunds'), until: nowMilliseconds() + lookMilliseconds };
  const named = await findOrders(charges, sids);
  const linked: Linked = { orders: 0, refunds: 0 };
  for (let from = 0; from < named.length; from += atOnce) {
    const some = await Promise.all(named.slice(from, from + atOnce).map((one) => linkOrder(one, settings, connected)));
    for (const { isLinked, isRefunded } of some) {
      linked.orders += isLinked ? 1 : 0;
      linked.refunds += isRefunded ? 1 : 0;
    }
  }
  return linked;
};

/** Lists do not say when a charge was refunded; asked about one charge, processors do. `until`: milliseconds. */
const withRefundDate = async (
  charge: ChargeCandidate,
  connected: ConnectedProcessor,
  until: number,
): Promise<ChargeCandidate> => {
  if (charge.refunded === 0n || charge.refundedAt !== undefined) return charge;
  if (nowMilliseconds() >= until) {
    log('warn', 'refund_date_not_asked', { reference: charge.reference });
    return charge;
  }
  const looked = await connected.look(charge.reference);
  return looked === null || isTrouble(looked) ? charge : looked;
};

type Effect = { isLinked: boolean; isRefunded: boolean };

const linkOrder = async (
  { charge, orderId }: Named,
  { connection, withRefunds, until }: { connection: string; withRefunds: boolean; until: number },
  connected: ConnectedProcessor,
): Promise<Effect> => {
  const known = withRefunds ? await withRefundDate(charge, connected, until) : charge;
  const effect: Effect = { isLinked: false, isRefunded: false };
  try {
    await completeOrder(orderId, (order: Order) => {
      const changes = changesOfOrder(order, known, { connection, withRefunds });
      const isOwn =
        paidOrder(order, charge) && (changes?.processor != null || namesCharge(order, connection, charge.reference));
      effect.isLinked = isOwn;
      effect.isRefunded =
        withRefunds && isOwn && charge.refunded > 0n && !(changes === null && lacksRefund(order, charge));
      return changes;
    });
  } catch (error) {
    // An order that other rules now refuse stays as it is; the import goes on.
    if (!(error instanceof Refusal)) throw error;
    log('warn', 'order_not_linked', { orderId, code: error.code });
    return { isLinked: false, isRefunded: false };
  }
  return effect;
};
