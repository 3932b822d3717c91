import { iso, milliseconds, nowIso } from '#core/kernel/clock.ts';
import { log } from '#core/platform/log/log.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { requireVersion } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { ConditionFailedError, getItem, type Item, putItem, updateItem } from '#core/platform/table/table.ts';
import {
  askForReplay,
  type Delivery,
  type DeliveryAttempt,
  deliveryAfterAttempt,
  expireDelivery,
  isDeliveryReplay,
} from './delivery.ts';
import { graceMilliseconds, isDeliveryExpired } from './delivery-policy.ts';
import { fromDeliveryItem, toDeliveryItem } from './delivery-row.ts';
import { oweTroubleMail } from './failing-store.ts';

/** Longer than the function that makes an attempt can run, shorter than its queue hides a message. */
const leaseMilliseconds = 75 * milliseconds.second;

/** One delivery, read consistently; undefined if there is none. */
export const getDelivery = async (id: string): Promise<Delivery | undefined> => {
  const item = await getItem(keys.delivery(id));
  return item && fromDeliveryItem(item);
};

/** The longest wait for a delivery's first attempt: its function and its message may be lost. */
const waitedForMilliseconds = 15 * milliseconds.minute;

/** Checks whether a delivery's first attempt is still to come, and soon. One read. */
export const isDeliveryPending = async (id: string, at: string): Promise<boolean> => {
  const delivery = await getDelivery(id);
  if (delivery?.state !== 'PENDING' || delivery.attempts.length > 0) return false;
  return Date.parse(at) - Date.parse(delivery.createdAt) < waitedForMilliseconds;
};

/** The result: the lease was acquired; another process holds it, so ask again later; or nothing is due at this slot (any more). */
export type LeaseResult = { kind: 'leased'; delivery: Delivery } | { kind: 'busy' } | { kind: 'nothing' };

/**
 * Leases the attempt that is due for a delivery at a slot. One conditional write decides between duplicates: an attempt is due at or before
 * the slot, in time, or a replay is; and no lease is live. An expired lease marks an attempt that was cut off, and what was due is still
 * due. `attemptId` must be new: it distinguishes a lost answer from a conflict.
 */
export const acquireLease = async (id: string, slot: string, attemptId: string): Promise<LeaseResult> => {
  const at = nowIso();
  try {
    const item = await updateItem({
      Key: keys.delivery(id),
      UpdateExpression: 'SET lease = :lease ADD version :one',
      ConditionExpression:
        '(manualSlot <= :slot OR (#state = :pending AND nextAttemptAt <= :slot AND expiresAt >= :slot AND expiresAt >= :latest)) AND (attribute_not_exists(lease) OR lease.#until <= :now)',
      ExpressionAttributeNames: { '#state': 'state', '#until': 'until' },
      ExpressionAttributeValues: {
        ':lease': { attemptId, until: iso(Date.parse(at) + leaseMilliseconds) },
        ':pending': 'PENDING',
        ':slot': slot,
        ':now': at,
        ':latest': iso(Date.parse(at) - graceMilliseconds),
        ':one': 1,
      },
    });
    return { kind: 'leased', delivery: fromDeliveryItem(item) };
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    const { item } = error;
    return item ? notLeased(fromDeliveryItem(item), slot, attemptId, at) : { kind: 'nothing' };
  }
};

/** Why a lease was refused, judged by the delivery as the write found it. */
const notLeased = async (delivery: Delivery, slot: string, attemptId: string, at: string): Promise<LeaseResult> => {
  if (delivery.lease?.attemptId === attemptId) return { kind: 'leased', delivery };
  const isOwed = delivery.nextAttemptAt !== null && delivery.nextAttemptAt <= slot;
  if (!isOwed && !isDeliveryReplay(delivery, slot)) return { kind: 'nothing' };
  if (delivery.lease && delivery.lease.until > at) return { kind: 'busy' };
  // No process works on it and no attempt may begin any more. If another process writes first, there is nothing left to do here.
  if (isOwed && isDeliveryExpired(delivery, slot, at))
    await saveInTrouble(delivery, expireDelivery(delivery), at).catch(ignoreConflict);
  return { kind: 'nothing' };
};

const ignoreConflict = (error: unknown): void => {
  if (!(error instanceof ConditionFailedError)) throw error;
};

/** Replaces the delivery that was read. Throws ConditionFailedError if it has changed since. */
const save = async (read: Delivery, next: Delivery): Promise<void> => {
  const condition = requireVersion(read.version);
  await putItem(toDeliveryItem({ ...next, version: read.version + 1 }), condition);
};

/** Saves the state of a delivery whose merchant may have to be notified that it fails. */
const saveInTrouble = async (read: Delivery, next: Delivery, at: string): Promise<void> => {
  await oweTroubleMail(read, next, at);
  await save(read, next);
};

/**
 * Records the result of an attempt: one write, unless the delivery was cancelled or a replay was requested meanwhile. An attempt whose
 * lease had expired, and whose delivery another process has leased since, leaves only a log line.
 */
export const recordAttempt = async (acquired: Delivery, attempt: DeliveryAttempt): Promise<void> => {
  await retryOnConflict(async (conflict) => {
    const delivery = conflict ? deliveryHeldBy(conflict.item, attempt.id) : acquired;
    if (delivery === 'recorded') return;
    if (delivery === undefined) {
      log('warn', 'attempt_overtaken', { deliveryId: acquired.id, slot: attempt.slot, status: attempt.status });
      return;
    }
    await saveInTrouble(delivery, deliveryAfterAttempt(delivery, attempt), attempt.at);
  });
};

/** The delivery while this attempt still holds it; `recorded` if the attempt is in it already: the answer was lost. */
const deliveryHeldBy = (item: Item | undefined, attemptId: string): Delivery | 'recorded' | undefined => {
  const delivery = item && fromDeliveryItem(item);
  if (delivery?.attempts.some(({ id }) => id === attemptId)) return 'recorded';
  return delivery?.lease?.attemptId === attemptId ? delivery : undefined;
};

/**
 * Makes a replay of a delivery due at a time (ISO), on condition that the delivery is unchanged. Throws ConditionFailedError if another
 * process changed it first.
 */
export const requestReplay = (read: Delivery, at: string): Promise<void> =>
  save(read, askForReplay(read, at)).catch((error: unknown) => {
    const item = error instanceof ConditionFailedError ? error.item : undefined;
    // This very write, whose answer was lost; or another replay at the same instant, which does just as well.
    if (item?.['version'] !== read.version + 1 || item['manualSlot'] !== at) throw error;
  });
