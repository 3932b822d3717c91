import * as v from 'valibot';
import { sha256 } from '#core/kernel/crypto.ts';
import type { Item, Key, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { contentDigest, type Order } from './order.ts';
import { ttlAt } from './order-row.ts';

/** Other ways to find an order than by its number: the merchant's reference, and the acquirer's number of its payment. */

/** Which order has a reference, and until when. */
export type OrderReference = { id: number; digests: string[]; keptUntil: string };

export const ReferenceRow = defineRow<OrderReference>({
  entity: 'ORDERREF',
  attribute: null,
  schema: v.looseObject({ id: v.number(), digests: v.array(v.string()), keptUntil: v.string() }),
});

export const referenceKey = (sid: number, reference: string): Key => keys.orderReference(sid, sha256(reference));

/** Which order has a reference, and what shows that an order sent again is the same: its content, then and now. */
export const toReferenceItem = (order: Order, firstDigest: string): Item => ({
  ...referenceKey(order.sid, order.content.reference),
  ...ReferenceRow.stamp,
  id: order.orderId,
  digests: [...new Set([firstDigest, contentDigest(order.content)])],
  keptUntil: order.keptUntil,
  ttl: ttlAt(order.keptUntil),
});

export const fromReferenceItem = (item: Item | undefined, at: string): OrderReference | undefined => {
  const reference = ReferenceRow.find(item);
  return reference === undefined || reference.keptUntil <= at ? undefined : reference;
};

/**
 * The trace of an erased order, so that no import from a shop stores it again: a digest of the merchant's number, and
 * nothing of the customer. The reference is free for an order that the merchant sends. `until`: ISO; a shop's import reads no older orders then.
 */
export const erasedReferenceItem = ({ sid, orderId, content }: Order, until: string): Item => ({
  ...referenceKey(sid, content.reference),
  ...ReferenceRow.stamp,
  ...{ id: orderId, digests: [], keptUntil: '', erased: true, ttl: ttlAt(until) },
});

export const isErasedReference = (item: Item | undefined): boolean => item?.['erased'] === true;

/** A merchant's attribute in the row of an acquirer's number: several merchants may claim the number without harming each other. */
const merchantAttribute = (mid: number): string => `m${mid}`;

/** The part of a transaction that says on which card a merchant's payment of this number was. */
export const arnWrite = (
  { mid, ends, keptUntil }: Pick<Order, 'mid' | 'keptUntil'> & { ends: string },
  arn: string,
): Write => ({
  Update: {
    Key: keys.orderArn(arn),
    UpdateExpression: 'SET #entity = :entity, #own = :ends, #ttl = :ttl ADD #mids :mid',
    ExpressionAttributeNames: { '#entity': 'entity', '#own': merchantAttribute(mid), '#ttl': 'ttl', '#mids': 'mids' },
    ExpressionAttributeValues: {
      ':entity': 'ORDERARN',
      ':ends': { ends, keptUntil },
      ':ttl': ttlAt(keptUntil),
      ':mid': new Set([mid]),
    },
  },
});

/** The part that removes the number. Its condition fails where another merchant has it too: then only its own part goes. */
const arnRemoval = (mid: number, arn: string): Write => ({
  Delete: {
    Key: keys.orderArn(arn),
    ConditionExpression: 'attribute_not_exists(#mids) OR #mids = :mid',
    ExpressionAttributeNames: { '#mids': 'mids' },
    ExpressionAttributeValues: { ':mid': new Set([mid]) },
  },
});

/** The same where other merchants have it. */
const ownArnRemoval = (mid: number, arn: string): Write => ({
  Update: {
    Key: keys.orderArn(arn),
    UpdateExpression: 'REMOVE #own DELETE #mids :mid',
    ExpressionAttributeNames: { '#own': merchantAttribute(mid), '#mids': 'mids' },
    ExpressionAttributeValues: { ':mid': new Set([mid]) },
  },
});

/** The part that removes the number. `isShared`: another merchant has it too. */
export const arnGone = (mid: number, arn: string, isShared: boolean): Write =>
  isShared ? ownArnRemoval(mid, arn) : arnRemoval(mid, arn);

const ArnEntry = v.object({ ends: v.string(), keptUntil: v.string() });

/** The ends of the card that a merchant's payment of this number was on. */
export const endsOfArn = (item: Item | undefined, mid: number, at: string): string | undefined => {
  const entry = item?.[merchantAttribute(mid)];
  if (entry === undefined) return undefined;
  const { ends, keptUntil } = v.parse(ArnEntry, entry);
  return keptUntil <= at ? undefined : ends;
};
