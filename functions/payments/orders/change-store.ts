import { nowIso } from '#core/kernel/clock.ts';
import { parse } from '#core/platform/http/parse.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { getItem, type Item, tryTransact, type Write, type Writes } from '#core/platform/table/table.ts';
import { changedOrderFields, contentDigest, fixedProblems, keptUntilOf, type Order, orderContent } from './order.ts';
import { toPlaced, toPlaceItem } from './order-place-row.ts';
import { arnGone, arnWrite, fromReferenceItem, referenceKey, toReferenceItem } from './order-reference-row.ts';
import { endsOfOrder, orderKey, otherCardWrites, toOrderItem, unchangedOrder } from './order-row.ts';
import { getOrder, isFreeReference, orderForCaller } from './order-store.ts';
import { type OrderChanges, OrderFields } from './schemas.ts';

const invalid = (problems: readonly string[]): Refusal => new Refusal('request_invalid', problems.join('; '));

/**
 * Changes what is given of an order; lists are replaced whole. Throws order_not_found, order_reference_taken,
 * request_invalid, changed_meanwhile.
 */
export const updateOrder = (orderId: number, changes: OrderChanges, caller: Caller): Promise<void> =>
  changeOrder(
    () => orderForCaller(orderId, caller),
    () => changes,
  );

/**
 * Changes an order in the name of the service. `changesTo` returns what changes of the present order; null: nothing. Returns whether the
 * order exists. Throws request_invalid, changed_meanwhile.
 */
export const completeOrder = async (
  orderId: number,
  changesTo: (order: Order) => OrderChanges | null,
): Promise<boolean> => {
  if ((await getOrder(orderId)) === undefined) return false;
  await changeOrder(() => getOrder(orderId), changesTo);
  return true;
};

const changeOrder = (
  read: () => Promise<Order | undefined>,
  changesTo: (order: Order) => OrderChanges | null,
): Promise<void> => {
  let isShared = false;
  return retryOnConflict(
    async () => {
      const before = await read();
      const changes = before && changesTo(before);
      if (!before || !changes) return;
      const after = changedOrder(before, changes);
      const first = fromReferenceItem(await getItem(referenceKey(before.sid, before.content.reference)), nowIso());
      const firstDigest = first?.id === before.orderId ? first.digests[0] : undefined;
      const conflict = await tryTransact(changeWrites(before, after, firstDigest, isShared));
      if (!conflict) return;
      refuseTaken(conflict.itemOf('reference'), before, after);
      // Another merchant claims the same acquirer's number.
      isShared ||= conflict.itemOf('arn') !== undefined;
      throw conflict;
    },
    { onExhausted: changedMeanwhile },
  );
};

const changedOrder = (before: Order, changes: OrderChanges): Order => {
  const fixed = fixedProblems(before, changes);
  if (fixed.length > 0) throw invalid(fixed);
  const content = orderContent(parse(OrderFields, changedOrderFields(before.content, changes)), nowIso());
  if (Array.isArray(content)) throw invalid(content);
  const keptUntil = keptUntilOf(content.transaction_date, before.retainDays);
  if (keptUntil <= nowIso()) {
    throw invalid([`transaction_date: is longer ago than the ${before.retainDays} days for which the order is kept`]);
  }
  return { ...before, content, keptUntil, updatedAt: nowIso() };
};

const isSameKey = (one: Order, other: Order): boolean => {
  const [left, right] = [orderKey(one), orderKey(other)];
  return left.pk === right.pk && left.sk === right.sk;
};

/**
 * The writes that take an order from one state to the next. If its key stays the same, only its content is written, so that what
 * its payment writes meanwhile is kept. `firstDigest`: of the content with which it was created; undefined if the
 * reference is not this order's.
 */
const changeWrites = (before: Order, after: Order, firstDigest: string | undefined, isShared: boolean) =>
  ({
    order: isSameKey(before, after)
      ? contentWrite(before, after)
      : [
          { Delete: { Key: orderKey(before), ...unchangedOrder(before) } },
          { Put: { Item: toOrderItem({ ...after, version: before.version + 1 }) } },
        ],
    place: { Put: { Item: toPlaceItem(toPlaced(after)) } },
    otherCards: otherCardWrites(before, after),
    reference: referenceWrites(before, after, firstDigest),
    arn: arnChanges(before, after, isShared),
  }) satisfies Writes;

const contentWrite = (before: Order, { content, keptUntil, updatedAt }: Order): Write => ({
  Update: {
    Key: orderKey(before),
    UpdateExpression: 'SET #content = :content, #until = :until, #ttl = :ttl, #at = :at, #version = :next',
    ConditionExpression: '#version = :version',
    ExpressionAttributeNames: {
      '#content': 'content',
      '#until': 'keptUntil',
      '#ttl': 'ttl',
      '#at': 'updatedAt',
      '#version': 'version',
    },
    ExpressionAttributeValues: {
      ':content': content,
      ':until': keptUntil,
      ':ttl': Math.ceil(Date.parse(keptUntil) / 1000),
      ':at': updatedAt,
      ':next': before.version + 1,
      ':version': before.version,
    },
  },
});

const referenceWrites = (before: Order, after: Order, firstDigest: string | undefined): Write[] => {
  const isOwn = firstDigest !== undefined;
  const Item = toReferenceItem(after, firstDigest ?? contentDigest(after.content));
  if (before.content.reference === after.content.reference) return isOwn ? [{ Put: { Item } }] : [];
  return [
    ...(isOwn ? [{ Delete: { Key: referenceKey(before.sid, before.content.reference) } }] : []),
    { Put: { Item, ...isFreeReference(nowIso()) } },
  ];
};

const arnChanges = (before: Order, after: Order, isShared: boolean): Write[] => {
  const [old, arn] = [before.content.arn, after.content.arn];
  return [
    ...(old !== undefined && old !== arn ? [arnGone(before.mid, old, isShared)] : []),
    ...(arn === undefined ? [] : [arnWrite({ ...after, ends: endsOfOrder(after.content) }, arn)]),
  ];
};

/** A conflicting change is tried again; but a reference that another order has does not become free. */
const refuseTaken = (stored: Item | undefined, before: Order, after: Order): void => {
  const first = fromReferenceItem(stored, nowIso());
  if (before.content.reference === after.content.reference || !first) return;
  if (first.id !== before.orderId)
    throw new Refusal('order_reference_taken', 'reference: another order of the site has it.');
};
