import * as v from 'valibot';
import { numbers, texts } from '#core/kernel/schema/shape-fields.ts';
import { facetOf, listKeys, listPosition, uncountedScope } from '#core/platform/lists/listing.ts';
import { changedRow, type Item, newRow, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { Delivery, DeliveryAttempt } from './delivery.ts';
import { owedAt } from './delivery.ts';
import { deliveryDue } from './delivery-due.ts';

/** The entity under which deliveries are listed. */
export const deliveryEntity = 'DELIVERY';

/** A delivery as its row has it: these fields are absent rather than null. */
type Kept = Omit<Delivery, 'nextAttemptAt' | 'manualSlot' | 'lease' | 'cancelledAt'> & Partial<Delivery>;

const DeliveryRow = defineRow<Kept>({
  entity: deliveryEntity,
  attribute: null,
  schema: v.looseObject({
    ...numbers('mid', 'rid', 'sid', 'version'),
    ...texts('state', 'createdAt', 'id', 'expiresAt', 'kind', 'contentType', 'body'),
    alertId: v.nullable(v.number()),
    attempts: v.array(
      v.looseObject({
        ...texts('id', 'at', 'slot', 'response'),
        url: v.nullable(v.string()),
        status: v.nullable(v.number()),
        latencyMilliseconds: v.number(),
        error: v.nullable(v.string()),
        responseTruncated: v.boolean(),
        replyUpdate: v.nullable(
          v.union([
            v.looseObject({ accepted: v.literal(true) }),
            v.looseObject({ accepted: v.literal(false), reason: v.string() }),
          ]),
        ),
      }),
    ),
    postbackUrl: v.nullable(v.string()),
    messageId: v.exactOptional(v.string()),
    parentTxid: v.exactOptional(v.number()),
    paid: v.exactOptional(v.looseObject(texts('action', 'amount', 'currency'))),
    nextAttemptAt: v.exactOptional(v.nullable(v.string())),
    manualSlot: v.exactOptional(v.nullable(v.string())),
    lease: v.exactOptional(v.nullable(v.looseObject({ attemptId: v.string(), until: v.string() }))),
    cancelledAt: v.exactOptional(v.nullable(v.string())),
  }),
});

/** The list of a payment's postbacks. */
export const scopeOfPayment = (parentTxid: number): string => uncountedScope(`T${parentTxid}`);

const scopeOfSubject = ({ alertId, parentTxid }: Pick<Delivery, 'alertId' | 'parentTxid'>): string | null => {
  if (alertId !== null) return `A${alertId}`;
  return parentTxid === undefined ? null : scopeOfPayment(parentTxid);
};

/**
 * Checks whether it waits for its first attempt, which follows at once. Until then an alert's notification is only in its alert's list:
 * within a second its state changes, and it would have to move to other lists. See docs/decisions/0064.
 */
const isUntried = ({ alertId, state, attempts }: Delivery): boolean =>
  alertId !== null && state === 'PENDING' && attempts.length === 0;

const deliveryListKeys = (delivery: Delivery) => {
  const { sid, mid, alertId, parentTxid, state, kind, createdAt, id } = delivery;
  const own = scopeOfSubject({ alertId, ...(parentTxid !== undefined && { parentTxid }) });
  return listKeys(
    deliveryEntity,
    isUntried(delivery) ? [null, null, own] : ['all', `M${mid}`, own, `S${sid}`],
    facetOf(state, kind),
    listPosition(createdAt, id),
  );
};

/** An attempt as lists show it: on the wire, without the reply's text. */
const attemptSummary = ({ at, slot, status, latencyMilliseconds, error, replyUpdate }: DeliveryAttempt) => ({
  at,
  slot,
  status,
  latency_ms: latencyMilliseconds,
  error,
  ...(replyUpdate && { reply_update: replyUpdate }),
});

const toPayment = ({ parentTxid: txid, paid }: Delivery) =>
  txid === undefined || !paid ? null : { txid, tx_action: paid.action, amount: paid.amount, currency: paid.currency };

/** A delivery as lists show it. */
export const deliverySummary = (delivery: Delivery) => ({
  id: delivery.id,
  kind: delivery.kind,
  state: delivery.state,
  sid: delivery.sid,
  alert_id: delivery.alertId,
  payment: toPayment(delivery),
  url: delivery.attempts.at(-1)?.url ?? delivery.postbackUrl,
  created_at: delivery.createdAt,
  expires_at: delivery.expiresAt,
  next_attempt_at: owedAt(delivery),
  attempts: delivery.attempts.map(attemptSummary),
});

export type DeliverySummary = ReturnType<typeof deliverySummary>;

/** A delivery as `details` shows it: each attempt with the reply's text. */
export const deliveryDetails = (delivery: Delivery) => ({
  ...deliverySummary(delivery),
  attempts: delivery.attempts.map((attempt) => ({ ...attemptSummary(attempt), response: attempt.response })),
});

export const toDeliveryItem = (delivery: Delivery): Item => {
  const owed = owedAt(delivery);
  const { nextAttemptAt, manualSlot, lease, cancelledAt, ...rest } = delivery;
  return {
    ...keys.delivery(delivery.id),
    ...DeliveryRow.stamp,
    ...deliveryListKeys(delivery),
    ...(owed !== null && deliveryDue.keys(owed, delivery.id)),
    summary: deliverySummary(delivery),
    ...rest,
    // Absent rather than null: conditions ask whether they exist.
    ...(nextAttemptAt !== null && { nextAttemptAt }),
    ...(manualSlot !== null && { manualSlot }),
    ...(lease !== null && { lease }),
    ...(cancelledAt !== null && { cancelledAt }),
  };
};

/** Reads a delivery back. */
export const fromDeliveryItem = (item: Item): Delivery => {
  const row = DeliveryRow.read(item);
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    sid: row.sid,
    mid: row.mid,
    rid: row.rid,
    alertId: row.alertId,
    contentType: row.contentType,
    body: row.body,
    postbackUrl: row.postbackUrl,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    nextAttemptAt: row.nextAttemptAt ?? null,
    manualSlot: row.manualSlot ?? null,
    lease: row.lease ?? null,
    cancelledAt: row.cancelledAt ?? null,
    attempts: row.attempts,
    ...(row.messageId !== undefined && { messageId: row.messageId }),
    ...(row.parentTxid !== undefined && { parentTxid: row.parentTxid }),
    ...(row.paid && { paid: row.paid }),
    version: row.version,
  };
};

/** The part of a transaction that writes a new delivery. Its condition fails if the identifier is taken. */
export const newDeliveryWrite = (delivery: Delivery): Write => newRow(toDeliveryItem(delivery));

/** The part that writes another state over the one that was read. Its condition fails if that has changed. */
export const changedDeliveryWrite = (read: Delivery, next: Delivery): Write =>
  changedRow(toDeliveryItem({ ...next, version: read.version + 1 }), read.version);

/**
 * The part of a transaction that cancels a delivery which was read as PENDING. Its condition fails if it no longer is;
 * an attempt under way does not prevent it. `at`: ISO, when.
 */
export const cancelWrite = (delivery: Delivery, at: string): Write => {
  // All of them, because until its first attempt it is only in its alert's list.
  const keysThen = Object.entries(deliveryListKeys({ ...delivery, state: 'CANCELLED' })).filter(
    ([name]) => name !== 'listSk',
  );
  const assignments = keysThen.map(([name]) => `${name} = :${name}`);
  return {
    Update: {
      Key: keys.delivery(delivery.id),
      UpdateExpression: `SET #state = :cancelled, cancelledAt = :at, summary.#state = :cancelled, summary.next_attempt_at = :none, ${assignments.join(', ')} REMOVE nextAttemptAt, manualSlot, duePk, dueSk ADD version :one`,
      ConditionExpression: '#state = :pending',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: {
        ':cancelled': 'CANCELLED',
        ':pending': 'PENDING',
        ':at': at,
        ':none': null,
        ':one': 1,
        ...Object.fromEntries(keysThen.map(([name, value]) => [`:${name}`, value])),
      },
    },
  };
};
