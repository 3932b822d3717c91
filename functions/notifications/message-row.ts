import type { Change } from '../core/stream-store.ts';
import type { Item } from '../core/table.ts';
import { owedAt } from './delivery.ts';
import { fromDeliveryItem } from './delivery-row.ts';
import type { Outgoing } from './messages.ts';

/** The message that a write of the table calls for, if any. `now`: ISO. */
export const messageFor = ({ before, after }: Change, now: string): Outgoing | undefined => {
  if (!after) return undefined;
  const earlier = before?.['entity'] === after['entity'] ? before : undefined;
  switch (after['entity']) {
    case 'DELIVERY':
      return messageForDelivery(earlier, after, now);
    case 'MAIL':
      return earlier ? undefined : { queue: 'mail', body: { mailId: String(after['id']) } };
    case 'DECISION':
      return earlier ? undefined : { queue: 'rules', body: { alertId: Number(after['id']) } };
    case 'ALERT':
      return messageForAlert(earlier, after);
    case 'ENROLLMENT':
      return messageForEnrollment(earlier, after, now);
    default:
      return undefined;
  }
};

/**
 * A first attempt and a replay are owed at once, by whatever clock they were written. Any other slot is the sweep's,
 * unless it has passed already when the attempt before it ends.
 */
const messageForDelivery = (before: Item | undefined, after: Item, now: string): Outgoing | undefined => {
  const delivery = fromDeliveryItem(after);
  const earlier = before && fromDeliveryItem(before);
  const send = (slot: string): Outgoing => ({
    queue: 'delivery',
    body: { deliveryId: delivery.id, slot, sid: delivery.sid },
  });
  if (delivery.manualSlot !== null && delivery.manualSlot !== earlier?.manualSlot) return send(delivery.manualSlot);
  const owed = owedAt(delivery);
  if (owed === null || (earlier && owedAt(earlier) === owed)) return undefined;
  return !earlier || owed <= now ? send(owed) : undefined;
};

const deadlineFields = ['open', 'deadlineAt', 'deadlinePassed'] as const;

/** Only alerts that have, or had, a deadline concern the deadline's keeper, and only when it or their openness changes. */
const messageForAlert = (before: Item | undefined, after: Item): Outgoing | undefined => {
  if (after['deadlineAt'] === undefined && before?.['deadlineAt'] === undefined) return undefined;
  if (before && deadlineFields.every((name) => before[name] === after[name])) return undefined;
  return { queue: 'deadline', body: { alertId: Number(after['id']) } };
};

const longestDelaySeconds = 900;

/** An enrollment that moves on by the clock is looked at when it does. Steps are shorter than SQS can hold a message. */
const messageForEnrollment = (before: Item | undefined, after: Item, now: string): Outgoing | undefined => {
  const at = after['nextAt'];
  if (typeof at !== 'string' || before?.['nextAt'] === at) return undefined;
  const seconds = Math.ceil((Date.parse(at) - Date.parse(now)) / 1000);
  return {
    queue: 'enrollment',
    body: { enrollmentId: Number(after['id']) },
    delaySeconds: Math.min(longestDelaySeconds, Math.max(0, seconds)),
  };
};
