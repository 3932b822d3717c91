import { maxRetainDays } from '#accounts/merchants/settings/order-profile.ts';
import { iso, milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { getItem, transact, tryTransact, type Writes } from '#core/platform/table/table.ts';
import type { Order } from '#payments/orders/order.ts';
import { deletedPlaceItem } from '#payments/orders/order-place-row.ts';
import { arnGone, erasedReferenceItem, fromReferenceItem, referenceKey } from '#payments/orders/order-reference-row.ts';
import { orderKey, otherCardWrites, unchangedOrder } from '#payments/orders/order-row.ts';
import { findOrderForCaller, whateverItsTime } from '#payments/orders/order-store.ts';
import { forgottenLookupWrite } from '../lookup/lookup-row.ts';
import { readLookupsOfOrder } from '../lookup/lookup-store.ts';

/** The time for which a deleted order's number is remembered, so that deleting it again returns the same. */
const rememberedFor = 30 * milliseconds.day;
/** Together with the order's own rows, far below the limit of a transaction. */
const lookupsAtOnce = 80;

/**
 * Removes every row of an order; its recorded look-ups lose the card and the reference. An order that was deleted before
 * is left as it is. Throws order_not_found, changed_meanwhile.
 */
export const deleteOrder = (orderId: number, caller: Caller): Promise<void> => {
  let isShared = false;
  return retryOnConflict(
    async () => {
      const order = await findOrderForCaller(orderId, caller, whateverItsTime);
      const conflict = order && (await tryTransact(await deletionWrites(order, isShared)));
      // Another merchant claims the same acquirer's number.
      isShared ||= conflict?.itemOf('arn') !== undefined;
      if (conflict) throw conflict;
    },
    { onExhausted: changedMeanwhile },
  );
};

/** `isShared`: another merchant may have the same acquirer's number. Look-ups that do not fit into one transaction are forgotten first. */
const deletionWrites = async (order: Order, isShared: boolean) => {
  const { orderId, mid, sid, content } = order;
  const lookups = await readLookupsOfOrder(orderId);
  for (let from = lookupsAtOnce; from < lookups.length; from += lookupsAtOnce) {
    await transact({ lookups: lookups.slice(from, from + lookupsAtOnce).map(forgottenLookupWrite) });
  }
  const own = referenceKey(sid, content.reference);
  const reference = fromReferenceItem(await getItem(own), whateverItsTime);
  const until = iso(nowMilliseconds() + rememberedFor);
  const erasedUntil = iso(nowMilliseconds() + maxRetainDays * milliseconds.day);
  return {
    order: { Delete: { Key: orderKey(order), ...unchangedOrder(order) } },
    otherCards: otherCardWrites(order, null),
    place: { Put: { Item: deletedPlaceItem(orderId, mid, until) } },
    reference: reference?.id === orderId ? { Put: { Item: erasedReferenceItem(order, erasedUntil) } } : undefined,
    arn: content.arn === undefined ? undefined : arnGone(mid, content.arn, isShared),
    lookups: lookups.slice(0, lookupsAtOnce).map(forgottenLookupWrite),
  } satisfies Writes;
};
