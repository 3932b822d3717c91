import { iso, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { log, metric } from '#core/platform/log/log.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, transact, tryTransact, updateItem } from '#core/platform/table/table.ts';
import type { Order } from '#payments/orders/order.ts';
import { fromPlaceItem } from '#payments/orders/order-place-row.ts';
import { cardEndsOf, fromOrderItem } from '#payments/orders/order-row.ts';
import { getOrder } from '#payments/orders/order-store.ts';
import { deflectedAt, type LookupOutcome, type OrderLookup } from './lookup.ts';
import {
  forgetPerson,
  fromLookupItem,
  lookupIdOf,
  lookupKeyOf,
  newLookupWrite,
  settledLookupWrite,
} from './lookup-row.ts';

/**
 * Records a look-up, once however often its message comes. If the order that it found has since been deleted, nothing is
 * kept that could identify its customer.
 */
export const recordLookup = async (lookup: OrderLookup): Promise<void> => {
  const { orderId } = lookup;
  const place = orderId === null ? undefined : fromPlaceItem(await getItem(keys.orderPlace(orderId)), nowIso());
  const isGone = orderId !== null && !place?.key;
  if (await tryTransact({ lookup: newLookupWrite(isGone ? forgetPerson(lookup) : lookup) })) return;
  // An alert may have marked the order before this was written, and found no look-up to be settled.
  if (place?.key && hasComplaint(fromOrderItem(await getItem(place.key), nowIso())))
    await settleLookup(lookupIdOf(lookup));
  if (lookup.result === 'not_found' && lookup.card) await countMiss(cardEndsOf(lookup.card));
};

const missMinutes = 5;
const maxMisses = 100;

/** A caller who guesses amounts or dates for one card fails often. */
const countMiss = async (ends: string): Promise<void> => {
  const span = missMinutes * 60_000;
  const since = Math.floor(nowMilliseconds() / span) * span;
  const { n } = await updateItem({
    Key: keys.lookupMisses(ends, iso(since)),
    UpdateExpression: 'SET #entity = :entity, #ttl = :ttl ADD #n :one',
    ExpressionAttributeNames: { '#entity': 'entity', '#ttl': 'ttl', '#n': 'n' },
    ExpressionAttributeValues: { ':entity': 'LOOKUPMISSES', ':ttl': Math.ceil(since / 1000) + 86_400, ':one': 1 },
  });
  if (n !== maxMisses) return;
  log('warn', 'lookups_in_vain', { ends, since: iso(since) });
  metric('LookupsInVain', 1, 'Count');
};

/** Checks whether an alert or the merchant reports a complaint about an order. */
const hasComplaint = (order: Order | undefined): boolean =>
  order !== undefined && (order.disputes.length > 0 || order.content.reported === true);

/** Returns the result of a look-up that found an order, as far as it is known at a time. */
const lookupEnd = ({ at }: OrderLookup, order: Order | undefined, now: string): LookupOutcome => {
  if (order?.content.reported === true || order?.disputes.some((dispute) => dispute.at >= at)) return 'disputed';
  return deflectedAt(at) <= now ? 'deflected' : 'open';
};

/**
 * Updates a look-up from its order: disputed once an alert came or the merchant says so, deflected after 120 days without one. Called again
 * it does nothing.
 */
export const settleLookup = async (lookupId: string): Promise<void> => {
  const key = lookupKeyOf(lookupId);
  const lookup = key && fromLookupItem(await getItem(key));
  if (!lookup || lookup.orderId === null || lookup.outcome === null || lookup.outcome === 'deflected') return;
  const order = await getOrder(lookup.orderId);
  const outcome = lookupEnd(lookup, order, nowIso());
  if (outcome === lookup.outcome) return;
  const after = { ...lookup, outcome };
  await transact({ lookup: settledLookupWrite(lookup, order ? after : forgetPerson(after)) });
};
