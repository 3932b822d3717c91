import * as v from 'valibot';
import { milliseconds } from '#core/kernel/clock.ts';
import { defineDue, dueAt, type Row, type RowChange, Slot } from '#core/platform/work/due.ts';
import { newAlertDeliveryId, owedAt } from './delivery.ts';
import { chatKinds, deliveryKinds, graceMilliseconds, hasDelays } from './delivery-policy.ts';

/**
 * Makes the attempt that is due for this delivery at `slot` (ISO). `sid`: its site, so that it can be read beforehand. `behind`: a delivery
 * whose first attempt comes before this one.
 */
export const DeliveryMessage = v.object({
  deliveryId: v.string(),
  slot: Slot,
  sid: v.number(),
  behind: v.optional(v.string()),
});
export type DeliveryMessage = v.InferOutput<typeof DeliveryMessage>;

/**
 * The slot of an attempt that a sweep starts. A delivery that has been pending for longer than a queue takes gets the sweep's slot: one
 * attempt makes up for a missed slot. One that became due a moment ago, such as a first attempt in progress, keeps its own slot, and is
 * still due at the sweep's slot.
 */
const pickSlot = (row: Row, slot: string): string =>
  Date.parse(slot) - Date.parse(dueAt(row)) < graceMilliseconds ? dueAt(row) : slot;

/** The fields of a delivery's row that decide about its messages. */
const StreamedDelivery = v.object({
  id: v.string(),
  sid: v.number(),
  // Also one that only a later release knows.
  kind: v.string(),
  alertId: v.nullable(v.number()),
  nextAttemptAt: v.nullish(v.string(), null),
  manualSlot: v.nullish(v.string(), null),
});

/** The index that a sweep reads lags behind the table: what becomes due just before a slot may not be in it yet. */
const nearMilliseconds = milliseconds.minute;

/**
 * A first attempt and a replay are due immediately, whatever the clock that wrote them says. For kinds that are retried after delays, the
 * message waits for a later slot in the queue; any other slot is left to the sweep, unless it has passed, or is less than a minute away,
 * when the attempt before it ends.
 */
const messagesForDelivery = ({ before, after }: RowChange, now: string) => {
  const delivery = v.parse(StreamedDelivery, after);
  const earlier = before && v.parse(StreamedDelivery, before);
  // A merchant learns of an alert before they learn what became of it.
  const isBehind = delivery.kind === 'status_update' && delivery.alertId !== null;
  const behind = isBehind && { behind: newAlertDeliveryId(delivery.alertId ?? 0) };
  const bodyAt = (slot: string): DeliveryMessage => ({ deliveryId: delivery.id, slot, sid: delivery.sid, ...behind });
  if (delivery.manualSlot !== null && delivery.manualSlot !== earlier?.manualSlot) {
    return [{ body: bodyAt(delivery.manualSlot) }];
  }
  const owed = owedAt(delivery);
  if (owed === null || (earlier && owedAt(earlier) === owed)) return [];
  if (!earlier) return [{ body: bodyAt(owed) }];
  const kind = deliveryKinds.find((one) => one === delivery.kind);
  const isWaitedFor = (kind !== undefined && hasDelays(kind)) || Date.parse(owed) - Date.parse(now) <= nearMilliseconds;
  return isWaitedFor ? [{ body: bodyAt(owed), at: owed }] : [];
};

/**
 * The backlog that a delivery belongs to: a site's webhooks do not wait behind its messages to chats, nor behind other sites. It
 * follows from the identifier, which is all that a sweep knows of a row.
 */
const pickBacklog = ({ deliveryId, sid }: Pick<DeliveryMessage, 'deliveryId' | 'sid'>): string =>
  chatKinds.some((kind) => deliveryId.endsWith(`_${kind}`)) ? `C${sid}` : `S${sid}`;

/** An attempt, by schedule or replay, is due. */
export const deliveryDue = defineDue({
  kind: 'DELIVERY',
  queue: 'delivery',
  message: DeliveryMessage,
  swept: (row, slot) => ({ deliveryId: String(row['id']), slot: pickSlot(row, slot), sid: Number(row['sid']) }),
  wakes: { DELIVERY: { messages: messagesForDelivery } },
  // One merchant's backlog does not hold up the others' messages.
  group: pickBacklog,
});
