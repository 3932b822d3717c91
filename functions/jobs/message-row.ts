import { milliseconds } from '#core/kernel/clock.ts';
import { isObject } from '#core/kernel/is-object.ts';
import type { Change } from '#core/platform/table/stream-store.ts';
import type { Item } from '#core/platform/table/table.ts';
import { delayUntil } from '#core/platform/work/delay.ts';
import type { Outgoing } from '#core/platform/work/messages.ts';
import { visitAt } from '#disputes/alerts/answer/outcome.ts';
import { fromOutcomeItem } from '#disputes/alerts/answer/outcome-row.ts';
import { fromHoldItem } from '#disputes/alerts/hold-row.ts';
import { outcomeQueueOf } from '#disputes/providers/providers.ts';
import { newAlertDeliveryId, owedAt } from '#messaging/webhooks/delivery/delivery.ts';
import { fromDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { hasDelays } from '#messaging/webhooks/delivery/policy.ts';

/** The messages that a write of the table calls for. `now`: ISO. */
export const messagesFor = ({ before, after }: Change, now: string): Outgoing[] => {
  if (!after) return [];
  const earlier = before?.['entity'] === after['entity'] ? before : undefined;
  switch (after['entity']) {
    case 'DELIVERY':
      return messagesForDelivery(earlier, after, now);
    case 'MAIL':
      return earlier ? [] : [{ queue: 'mail', body: { mailId: String(after['id']) } }];
    case 'DECISION':
      return messagesForDecision(earlier, after, now);
    case 'ALERT':
      return [...messagesForDeadline(earlier, after), ...messagesForOutcome(before, after)];
    case 'ENROLLMENT':
      return messagesForEnrollment(earlier, after, now);
    case 'INBOX_MATCH':
      return messagesForInbox(earlier, after);
    case 'TRANSACTION':
      return messagesForTransaction(earlier, after, now);
    case 'HOLD':
      return messagesForHold(earlier, after);
    case 'ALERT_ORDER':
      return messagesForOrder(earlier, after);
    case 'AUTHENTICATION':
      return messagesForAuthentication(earlier, after, now);
    case 'SANDBOX_DISPUTE':
      return messagesForSandboxDispute(earlier, after, now);
    case 'REFUND':
      return messagesForRefund(earlier, after, now);
    case 'OUTCOME':
      return messagesForProvider(earlier, after, now);
    default:
      return [];
  }
};

/** The index that a sweep reads lags behind the table: what becomes due just before a slot may not be in it yet. */
const nearMilliseconds = milliseconds.minute;

/**
 * A first attempt and a replay are owed at once, whatever the clock that wrote them says. For kinds that are retried after
 * delays, the message waits for a later slot in the queue; any other slot is left to the sweep, unless it has passed, or is
 * less than a minute away, when the attempt before it ends.
 */
const messagesForDelivery = (before: Item | undefined, after: Item, now: string): Outgoing[] => {
  const delivery = fromDeliveryItem(after);
  const earlier = before && fromDeliveryItem(before);
  // A merchant learns of an alert before they learn what became of it.
  const isBehind = delivery.kind === 'status_update' && delivery.alertId !== null;
  const behind = isBehind && { behind: newAlertDeliveryId(delivery.alertId ?? 0) };
  const send = (slot: string, delay = {}): Outgoing[] => [
    { queue: 'delivery', body: { deliveryId: delivery.id, slot, sid: delivery.sid, ...behind }, ...delay },
  ];
  if (delivery.manualSlot !== null && delivery.manualSlot !== earlier?.manualSlot) return send(delivery.manualSlot);
  const owed = owedAt(delivery);
  if (owed === null || (earlier && owedAt(earlier) === owed)) return [];
  if (!earlier) return send(owed);
  const isWaitedFor = hasDelays(delivery.kind) || Date.parse(owed) - Date.parse(now) <= nearMilliseconds;
  return isWaitedFor ? send(owed, delayUntil(owed, now)) : [];
};

const deadlineOf = (item: Item | undefined) => {
  const alert = item?.['alert'];
  const { deadlineAt = null, deadlinePassed = false } = isObject(alert) ? alert : {};
  return { isOpen: item?.['open'], deadlineAt, deadlinePassed };
};

/** Deadlines are looked after only for alerts that have, or had, one, and only when it changes or the alert opens or closes. */
const messagesForDeadline = (before: Item | undefined, after: Item): Outgoing[] => {
  const [earlier, now] = [deadlineOf(before), deadlineOf(after)];
  if (now.deadlineAt === null && earlier.deadlineAt === null) return [];
  if (before && JSON.stringify(earlier) === JSON.stringify(now)) return [];
  return [{ queue: 'deadline', body: { alertId: Number(after['id']) } }];
};

/** An alert that has its outcome releases what it held. */
const messagesForOutcome = (before: Item | undefined, after: Item): Outgoing[] =>
  before?.['open'] === true && after['open'] === false
    ? [{ queue: 'settlement', body: { alertId: Number(after['id']) } }]
    : [];

/**
 * A dispute alert looks for its payment, or lets it go, whenever that begins to be owed. Once it is known, so may be its order.
 */
const messagesForHold = (before: Item | undefined, after: Item): Outgoing[] => {
  const body = { alertId: Number(after['id']) };
  const isOwed = after['dueSk'] !== undefined && before?.['dueSk'] !== after['dueSk'];
  const isFound = txidOf(after) !== null && txidOf(before) === null;
  return [
    ...(isOwed ? [{ queue: 'settlement', body } as const] : []),
    ...(isFound ? [{ queue: 'lookups', body } as const] : []),
  ];
};

const txidOf = (item: Item | undefined): number | null => fromHoldItem(item)?.txid ?? null;

/** In the same way an alert looks for its order, or removes its mark. */
const messagesForOrder = (before: Item | undefined, after: Item): Outgoing[] =>
  after['dueSk'] === undefined || before?.['dueSk'] === after['dueSk']
    ? []
    : [{ queue: 'lookups', body: { alertId: Number(after['id']) } }];

/** An enrollment that advances by the clock is looked at when its time comes. Steps are shorter than a message can wait. */
const messagesForEnrollment = (before: Item | undefined, after: Item, now: string): Outgoing[] => {
  const at = after['nextAt'];
  if (typeof at !== 'string' || before?.['nextAt'] === at) return [];
  return [{ queue: 'enrollment', body: { enrollmentId: Number(after['id']) }, ...delayUntil(at, now) }];
};

/** Longer than intake takes: an alert matched just before the enrollment is in the inbox by then. */
const intakeSeconds = 30;

/** The inbox is searched when a request begins to claim something. */
const messagesForInbox = (before: Item | undefined, after: Item): Outgoing[] =>
  before?.['dueSk'] === after['dueSk']
    ? []
    : [{ queue: 'inbox', body: { enrollmentId: Number(after['id']) }, delaySeconds: intakeSeconds }];

/** A transaction that is not final is looked at when its processor is to be asked again. */
const messagesForTransaction = (before: Item | undefined, after: Item, now: string): Outgoing[] => {
  const at = after['nextCheckAt'];
  if (typeof at !== 'string' || before?.['nextCheckAt'] === at) return [];
  return [{ queue: 'settlement', body: { txid: Number(after['id']), slot: at }, ...delayUntil(at, now) }];
};

/** A challenge is looked at when its 3DS server is to be asked, whether or not its payer comes back. */
const messagesForAuthentication = (before: Item | undefined, after: Item, now: string): Outgoing[] => {
  const at = after['nextCheckAt'];
  if (typeof at !== 'string' || before?.['nextCheckAt'] === at) return [];
  return [{ queue: 'settlement', body: { authenticationId: Number(after['id']), slot: at }, ...delayUntil(at, now) }];
};

/** A chargeback that the sandbox makes within moments; those at alerts' deadlines are left to the sweep. */
const messagesForSandboxDispute = (before: Item | undefined, after: Item, now: string): Outgoing[] => {
  const at = after['dueAt'];
  const isSoon = typeof at === 'string' && Date.parse(at) - Date.parse(now) < milliseconds.minute;
  if (before || !isSoon) return [];
  return [{ queue: 'chargebacks', body: { sandboxDispute: String(after['id']) }, ...delayUntil(at, now) }];
};

/** Rules are evaluated when that falls due, and again when it is time to retry a processor that could not be asked. */
const messagesForDecision = (before: Item | undefined, after: Item, now: string): Outgoing[] => {
  const at = after['nextAt'];
  const body = { alertId: Number(after['id']) };
  if (typeof at !== 'string') return before ? [] : [{ queue: 'rules', body }];
  return before?.['nextAt'] === at ? [] : [{ queue: 'rules', body, ...delayUntil(at, now) }];
};

/** A refund at a merchant's own processor is looked at when it is time to ask that processor. */
const messagesForRefund = (before: Item | undefined, after: Item, now: string): Outgoing[] => {
  const at = after['nextCheckAt'];
  if (typeof at !== 'string' || before?.['nextCheckAt'] === at) return [];
  return [{ queue: 'refunds', body: { alertId: Number(after['id']), slot: at }, ...delayUntil(at, now) }];
};

/** How far ahead a visit waits in the queue; the next sweep finds any that is later. */
const waitedFor = 12 * milliseconds.hour;

/**
 * An outcome says when its provider is to be told, or asked about it. When an outcome that was not final is done, the next one of
 * its alert may be waiting for that.
 */
const messagesForProvider = (before: Item | undefined, after: Item, now: string): Outgoing[] => {
  const outcome = fromOutcomeItem(after);
  const [alertId, queue] = [outcome.alertId, outcomeQueueOf(outcome.provider)];
  const at = visitAt(outcome);
  const isNews = at !== null && before?.['visitAt'] !== at && Date.parse(at) - Date.parse(now) <= waitedFor;
  const isDone = before?.['state'] === 'PENDING' && outcome.state !== 'PENDING' && !outcome.isFinal;
  return [
    ...(isNews ? [{ queue, body: { alertId, at }, ...delayUntil(at, now) }] : []),
    ...(isDone ? [{ queue, body: { alertId, at: now } }] : []),
  ];
};
