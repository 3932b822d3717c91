import type { AlertSettings, ChatUrls } from '#accounts/merchants/site/site.ts';
import type { ErrorClass } from '#core/platform/post/error-class.ts';
import { type ChatKind, type DeliveryKind, findExpiry, isChat, nextSlot, servedUntil } from './delivery-policy.ts';

export type { DeliveryKind } from './delivery-policy.ts';

export const deliveryStates = ['PENDING', 'DELIVERED', 'EXPIRED', 'CANCELLED'] as const;
/** CANCELLED: the alert got its outcome first, or its site had no URL at the time. */
export type DeliveryState = (typeof deliveryStates)[number];

/** The result of an update that was in the reply to a new alert. */
export type ReplyUpdateResult = { accepted: true } | { accepted: false; reason: string };

/** Why an attempt was no success; `no_url`: the site has none for this kind; `http_status`: a reply other than 2xx. */
type AttemptError = ErrorClass | 'no_url' | 'http_status';

/** One POST, or one that could not be made. `error` is null exactly when the receiver took the notification. */
export type DeliveryAttempt = {
  /** Identifies this attempt if an answer of the table is lost. */
  id: string;
  at: string;
  slot: string;
  url: string | null;
  status: number | null;
  latencyMilliseconds: number;
  error: AttemptError | null;
  /** The reply's first 16 KiB; emptied in old attempts when a delivery has very many. */
  response: string;
  responseTruncated: boolean;
  replyUpdate: ReplyUpdateResult | null;
};

/** Which attempt is being made, and until when (ISO) no other may be. A lease that is over marks an attempt that was cut off. */
type Lease = { attemptId: string; until: string };

/** One notification to one site's endpoint, from the transaction that causes it until it is delivered or given up. */
export type Delivery = {
  id: string;
  kind: DeliveryKind;
  state: DeliveryState;
  sid: number;
  mid: number;
  rid: number;
  alertId: number | null;
  contentType: string;
  body: string;
  /** Where a postback goes; the other kinds go to the URL the site has when they are sent. */
  postbackUrl: string | null;
  createdAt: string;
  expiresAt: string;
  /** The slot of the next attempt; null exactly when the state is not PENDING. */
  nextAttemptAt: string | null;
  /** The time at which the pending replay was requested; null if none is. */
  manualSlot: string | null;
  lease: Lease | null;
  /** When the alert's outcome came before this was delivered; null if none did. */
  cancelledAt: string | null;
  attempts: readonly DeliveryAttempt[];
  /** Its `webhook-id` if that is not `id`: its content changed after it was created. */
  messageId?: string;
  /** The payment that a postback is about; absent in those of earlier releases. */
  parentTxid?: number;
  /** The action and the amount of a postback’s transaction; absent in postbacks of earlier releases. */
  paid?: { action: string; amount: string; currency: string };
  /** Goes up with every write. */
  version: number;
};

/** The identifier of an alert's first notification: derived from the alert's, so that an update finds it at once. */
export const newAlertDeliveryId = (alertId: number): string => `ntf_${alertId}`;

/** The identifier of an alert's message in a chat. */
export const chatDeliveryId = (alertId: number, kind: ChatKind): string => `${newAlertDeliveryId(alertId)}_${kind}`;

/** The identifier of any other notification, from a number drawn by `newTimedId`. */
export const deliveryIdOf = (timedId: number): string => `ntf_${timedId}`;

/** Creates a notification; its first attempt is due immediately. `at` is ISO; `postbackUrl` for postbacks only. */
export const createDelivery = ({
  id,
  kind,
  sid,
  mid,
  rid,
  alertId,
  contentType,
  body,
  at,
  postbackUrl = null,
  parentTxid,
  paid,
}: Pick<Delivery, 'id' | 'kind' | 'sid' | 'mid' | 'rid' | 'alertId' | 'contentType' | 'body'> & {
  at: string;
  postbackUrl?: string | null;
  parentTxid?: number;
  paid?: Delivery['paid'];
}): Delivery => ({
  id,
  kind,
  state: 'PENDING',
  sid,
  mid,
  rid,
  alertId,
  contentType,
  body,
  postbackUrl,
  createdAt: at,
  expiresAt: findExpiry(kind, at),
  nextAttemptAt: at,
  manualSlot: null,
  lease: null,
  cancelledAt: null,
  attempts: [],
  ...(parentTxid !== undefined && { parentTxid }),
  ...(paid && { paid }),
  version: 1,
});

/** Creates a notification without a due attempt, which can be replayed. */
export const createCancelled = (notification: Parameters<typeof createDelivery>[0]): Delivery => ({
  ...createDelivery(notification),
  state: 'CANCELLED',
  nextAttemptAt: null,
  cancelledAt: notification.at,
});

/** Returns the notification with another body, due immediately as if it were new. An attempt under way does not count for it. `at`: ISO. */
export const oweAnew = (delivery: Delivery, body: string, messageId: string, at: string): Delivery => ({
  ...delivery,
  body,
  messageId,
  state: 'PENDING',
  expiresAt: findExpiry(delivery.kind, at),
  nextAttemptAt: at,
  lease: null,
  cancelledAt: null,
});

/** Returns when the next attempt, by schedule or replay, is due (ISO); null if none is. */
export const owedAt = ({ nextAttemptAt, manualSlot }: Pick<Delivery, 'nextAttemptAt' | 'manualSlot'>): string | null =>
  nextAttemptAt !== null && manualSlot !== null
    ? nextAttemptAt < manualSlot
      ? nextAttemptAt
      : manualSlot
    : (nextAttemptAt ?? manualSlot);

/** Checks whether an attempt for this slot would be the requested replay. */
export const isDeliveryReplay = ({ manualSlot }: Pick<Delivery, 'manualSlot'>, slot: string): boolean =>
  manualSlot !== null && manualSlot <= slot;

/** Returns the delivery with a pending replay. `at`: ISO. */
export const askForReplay = (delivery: Delivery, at: string): Delivery => ({ ...delivery, manualSlot: at });

const maxAttempts = 60;
const maxReplyBytes = 200 * 1024;

/** Keeps a delivery within the size of a row: only the newest attempts, and the older of those without the reply's text. */
const keepAttempts = (attempts: readonly DeliveryAttempt[]): DeliveryAttempt[] => {
  let room = maxReplyBytes;
  return attempts
    .slice(-maxAttempts)
    .reverse()
    .map((attempt) => {
      room -= Buffer.byteLength(attempt.response);
      return room >= 0 ? attempt : { ...attempt, response: '', responseTruncated: true };
    })
    .reverse();
};

/**
 * Returns the delivery after an attempt that held its lease. Success delivers it, whatever its state; failure does not change a state other
 * than PENDING. An attempt serves everything that was due at or before its slot, so a replay that fails leaves the schedule as it was.
 */
export const deliveryAfterAttempt = (delivery: Delivery, attempt: DeliveryAttempt): Delivery => {
  const { slot, error } = attempt;
  const recorded = {
    ...delivery,
    attempts: keepAttempts([...delivery.attempts, attempt]),
    lease: null,
    manualSlot: isDeliveryReplay(delivery, slot) ? null : delivery.manualSlot,
  };
  if (error === null) return { ...recorded, state: 'DELIVERED', nextAttemptAt: null };
  if (delivery.state !== 'PENDING') return recorded;
  const wasOwed = delivery.nextAttemptAt !== null && delivery.nextAttemptAt <= slot;
  const nextAttemptAt = wasOwed ? nextSlot(delivery, servedUntil(delivery.kind, attempt)) : delivery.nextAttemptAt;
  return { ...recorded, nextAttemptAt, state: nextAttemptAt === null ? 'EXPIRED' : 'PENDING' };
};

/** Returns the delivery as expired. A pending replay stays pending. */
export const expireDelivery = (delivery: Delivery): Delivery => ({
  ...delivery,
  state: 'EXPIRED',
  nextAttemptAt: null,
  lease: null,
});

/** Which of an alert site's settings says where a kind goes. */
const settingOf = {
  new_alert: 'alertapiurl',
  alert_deadline: 'alertapiurl',
  status_update: 'statusupdate_url',
  enrollment_update: 'enrollment_url',
} as const satisfies Record<Exclude<DeliveryKind, 'postback' | ChatKind>, keyof AlertSettings>;

/** Where a delivery goes as the site is set up now; null if it has no such URL. */
export const targetUrl = (
  { kind, postbackUrl }: Pick<Delivery, 'kind' | 'postbackUrl'>,
  settings: AlertSettings | null,
  chatUrls: ChatUrls,
): string | null => {
  if (isChat(kind)) return chatUrls[kind];
  return kind === 'postback' ? postbackUrl : (settings?.[settingOf[kind]] ?? null);
};

/** A delivery's URL as it may be shown: only the host if it is a chat's. */
export const maskUrl = (kind: DeliveryKind, url: string): string => (isChat(kind) ? `${new URL(url).origin}/…` : url);
