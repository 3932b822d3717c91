import { createHmac } from 'node:crypto';
import { iso } from '#core/kernel/clock.ts';
import { equalSecrets } from '#core/kernel/crypto.ts';
import { parseStrictJson } from '#core/kernel/schema/strict-json.ts';
import { codeOfKind } from '../kind-codes.ts';
import { txidOfReference } from '../merchant-reference.ts';
import type { OperationKind, ProcessorEvent, ProcessorResult } from '../ports/processor.ts';
import { codeOfRefusal } from './adyen-codes.ts';
import { fraudEvent, isDisputeEvent, suppliedEvent } from './adyen-events.ts';

/**
 * Adyen's standard webhooks. They are the only way to learn the result of most operations, so they are kept. Only what
 * the signature covers is believed, and also `reason`, which only selects the words for a failure.
 * https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures
 */
export type AdyenNotice = {
  eventCode: string;
  success: boolean;
  /** The reference of the notice's subject: a capture, void or refund has its own, not the payment's. */
  pspReference: string;
  originalReference: string | null;
  merchantReference: string;
  reason: string | null;
  /** When a capture or refund was done or failed, or a dispute's event was, ISO. Not signed: it only orders what is. Absent in older rows. */
  at?: string;
  /** Its amount as Adyen counts it, of a capture or refund. */
  value?: number;
  /** For a dispute or a report of fraud: the amount, which is signed, and other details, which are not. */
  dispute?: {
    value: number;
    currency: string;
    reasonCode: string;
    network: string;
    dueBy: string;
    at: string;
    /** Adyen says that it was responded to, or that it is over and cannot be defended. Not signed, so it moves no money. */
    said?: 'responded' | 'over';
  };
  /** The merchant defended the dispute, here or in the Customer Area. Not signed. */
  isDefense?: true;
  /** Adyen took the merchant's acceptance of the dispute, here. */
  isAcceptance?: true;
};

/** True if a payment of unknown fate is kept or ended; whichever is decided first stands. */
export type AdyenDecision = 'keep' | 'end';

/** The stored facts about Adyen's references; each adapter gets one for its own site. */
export type AdyenMemory = {
  remember(notices: readonly AdyenNotice[]): Promise<void>;
  recall(reference: string): Promise<{ notices: readonly AdyenNotice[]; decision: AdyenDecision | null }>;
  /** Returns the decision that stands. */
  decide(reference: string, decision: AdyenDecision): Promise<AdyenDecision>;
};

type Fields = Readonly<Record<string, unknown>>;
const asObject = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const asText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const signedText = (item: Fields): string => {
  const amount = asObject(item['amount']);
  return [
    ...[item['pspReference'], item['originalReference'], item['merchantAccountCode'], item['merchantReference']],
    ...[amount['value'], amount['currency'], item['eventCode'], String(item['success'])],
  ]
    .map(asText)
    .join(':');
};

export const adyenSignature = (item: Fields, hmacKey: string): string =>
  createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(signedText(item)).digest('base64');

const isSigned = (item: Fields, hmacKey: string): boolean => {
  const signature = asObject(item['additionalData'])['hmacSignature'];
  return typeof signature === 'string' && equalSecrets(signature, adyenSignature(item, hmacKey));
};

/** A time as ISO in UTC; empty if it is none. */
const toTime = (value: unknown): string => {
  const time = Date.parse(asText(value));
  return Number.isNaN(time) ? '' : iso(time);
};

/** What `disputeStatus` says: https://docs.adyen.com/risk-management/disputes-api/dispute-notifications (2026-11-28). */
const saidStatus = (item: Fields): { said?: 'responded' | 'over' } => {
  const { disputeStatus, defendable } = asObject(item['additionalData']);
  const [status, isInquiry] = [asText(disputeStatus).toLowerCase(), item['eventCode'] === 'REQUEST_FOR_INFORMATION'];
  if (isInquiry && status === 'responded') return { said: 'responded' };
  const isOver = ['lost', 'accepted', 'expired'].includes(status) && (isInquiry || asText(defendable) === 'false');
  return isOver ? { said: 'over' } : {};
};

/** Adyen's own example of a reason code begins with a blank. */
const firstText = (fields: Fields, ...names: readonly string[]): string =>
  names.map((name) => asText(fields[name]).trim()).find(Boolean) ?? '';

const toDispute = (item: Fields): NonNullable<AdyenNotice['dispute']> => {
  const [amount, more] = [asObject(item['amount']), asObject(item['additionalData'])];
  const value = Number(asText(amount['value']));
  return {
    value: Number.isSafeInteger(value) ? value : 0,
    currency: asText(amount['currency']).slice(0, 3),
    reasonCode: firstText(more, 'chargebackReasonCode', 'rfiReasonCode', 'nofReasonCode').slice(0, 60),
    network: firstText(more, 'chargebackSchemeCode', 'rfiSchemeCode', 'nofSchemeCode').slice(0, 30),
    dueBy: toTime(more['defensePeriodEndsAt']),
    at: toTime(item['eventDate']),
    ...saidStatus(item),
  };
};

/**
 * Adyen defends some disputes by itself, and reports documents of a dispute that is not defended yet. Without a status, as in Brazil, a
 * report shows neither.
 */
const isDefenseEvent = (item: Fields): boolean => {
  const { autoDefended, disputeStatus } = asObject(item['additionalData']);
  const isOpen = /^(undefended)?$/i.test(asText(disputeStatus));
  return asText(item['eventCode']) === suppliedEvent && asText(autoDefended) !== 'true' && !isOpen;
};

const isAboutDispute = (eventCode: string): boolean => isDisputeEvent(eventCode) || eventCode === suppliedEvent;

const toNotice = (item: Fields): AdyenNotice => ({
  eventCode: asText(item['eventCode']),
  success: String(item['success']) === 'true',
  pspReference: asText(item['pspReference']),
  originalReference: asText(item['originalReference']) || null,
  merchantReference: asText(item['merchantReference']),
  reason: asText(item['reason']).slice(0, 120) || null,
  ...((isMoved(asText(item['eventCode'])) || isAboutDispute(asText(item['eventCode']))) && {
    at: toTime(item['eventDate']),
  }),
  ...(isMoved(asText(item['eventCode'])) && { value: Number(asText(asObject(item['amount'])['value'])) }),
  ...((isDisputeEvent(asText(item['eventCode'])) || item['eventCode'] === fraudEvent) && { dispute: toDispute(item) }),
  ...(isDefenseEvent(item) && { isDefense: true as const }),
});

const isWhole = ({ eventCode, pspReference }: AdyenNotice): boolean =>
  /^[A-Z_]{3,64}$/.test(eventCode) && /^\w{8,64}$/.test(pspReference);

/** The notices of a webhook; undefined unless every one is signed. Those of other merchant accounts are left out. */
export const readNotices = (
  rawBody: string,
  { hmacKey, merchantAccount }: { hmacKey: string; merchantAccount: string },
): readonly AdyenNotice[] | undefined => {
  if (!/^(?:[\da-f]{2}){16,}$/i.test(hmacKey)) return undefined;
  const list = asObject(parseStrictJson(rawBody))['notificationItems'];
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const items = list.map((entry) => asObject(asObject(entry)['NotificationRequestItem']));
  if (!items.every((item) => isSigned(item, hmacKey))) return undefined;
  return items
    .filter((item) => item['merchantAccountCode'] === merchantAccount)
    .map(toNotice)
    .filter(isWhole);
};

/** Our own notice that Adyen accepted a defense, because it cannot be asked for the state of a dispute. Its webhook may come later. `at`: ISO. */
export const noticeOfDefense = (pspReference: string, at: string): AdyenNotice => ({
  ...{ eventCode: 'DEFENDED_HERE', success: true, pspReference, originalReference: null, merchantReference: '' },
  ...{ reason: null, isDefense: true, at },
});

/** Our own notice that Adyen took the acceptance of a dispute: it sends a webhook about that only later, or none. `at`: ISO. */
export const noticeOfAcceptance = (pspReference: string, at: string): AdyenNotice => ({
  ...{ eventCode: 'ACCEPTED_HERE', success: true, pspReference, originalReference: null, merchantReference: '' },
  ...{ reason: null, isAcceptance: true, at },
});

export const eventOfNotice = (notice: AdyenNotice): ProcessorEvent => ({
  id: `${notice.eventCode}:${notice.pspReference}:${notice.success}${notice.at ? `:${notice.at}` : ''}`,
  txid: txidOfReference(notice.merchantReference),
  references: [notice.pspReference, notice.originalReference, notice.merchantReference].filter(
    (reference): reference is string => Boolean(reference),
  ),
  ...((isDisputeEvent(notice.eventCode) || notice.isDefense) && { dispute: notice.pspReference }),
  ...(notice.eventCode === fraudEvent && notice.success && { warning: notice.pspReference }),
  ...(isFailedRefund(notice) && notice.originalReference !== null && { refundFailed: notice.originalReference }),
});

/** Refused by the bank, or sent and returned. */
const isFailedRefund = ({ eventCode, success }: AdyenNotice): boolean =>
  eventCode === 'REFUND' ? !success : eventsOf.refund.undone.includes(eventCode) && success;

/** The bank has refused a capture after all. */
export const captureFailed = 'CAPTURE_FAILED';
export const captureDone = 'CAPTURE';
/** An authorisation has lapsed. */
export const expired = 'EXPIRE';
/** The event code of a reversal's result. */
export const reversal = 'CANCEL_OR_REFUND';

export const find = (notices: readonly AdyenNotice[], code: string, success?: boolean): AdyenNotice | undefined =>
  notices.find((notice) => notice.eventCode === code && (success === undefined || notice.success === success));

export const isReversed = (notices: readonly AdyenNotice[]): boolean => find(notices, reversal, true) !== undefined;

/**
 * Returns Adyen's name of the payment that notices prove to have been authorised; undefined if they prove none. Nothing else is disputed.
 */
export const authorisedAmong = (notices: readonly AdyenNotice[]): string | undefined =>
  find(notices, 'AUTHORISATION', true)?.pspReference ??
  notices.find(({ eventCode, success, originalReference }) => isDisputeEvent(eventCode) && success && originalReference)
    ?.originalReference ??
  undefined;

/** A capture or refund that was rejected may be sent again by Adyen. https://docs.adyen.com/online-payments/capture/failure-reasons (2026-11-28) */
const eventsOf: Readonly<
  Record<Exclude<OperationKind, 'pay' | 'payout'>, { undone: readonly string[]; done: string }>
> = {
  capture: { undone: [captureFailed], done: captureDone },
  void: { undone: [], done: 'CANCELLATION' },
  refund: { undone: ['REFUND_FAILED', 'REFUNDED_REVERSED'], done: 'REFUND' },
};

/** Checks whether an event is about money that may move more than once: each of its occurrences is kept. */
export const isMoved = (eventCode: string): boolean =>
  [eventsOf.capture, eventsOf.refund].some(({ done, undone }) => done === eventCode || undone.includes(eventCode));

/** Adyen's reason: "Transaction Recaptured" or "Transaction Auto-recaptured". */
export const isRepeated = ({ reason }: AdyenNotice): boolean => /recaptured/i.test(reason ?? '');

/** Among events of one second a failure follows what failed, and a repeat follows the failure. */
const sortKey = (notice: AdyenNotice, done: string): string =>
  `${notice.at ?? ''} ${isRepeated(notice) ? 2 : notice.eventCode === done && notice.success ? 0 : 1}`;

/** Returns the last word about a capture, void or refund, by the time of the event; undefined if its notices have none. */
const lastNotice = (notices: readonly AdyenNotice[], kind: keyof typeof eventsOf): AdyenNotice | undefined => {
  const { undone, done } = eventsOf[kind];
  return notices
    .filter(({ eventCode, success }) => eventCode === done || (success && undone.includes(eventCode)))
    .reduce<AdyenNotice | undefined>(
      (last, one) => (last === undefined || sortKey(one, done) >= sortKey(last, done) ? one : last),
      undefined,
    );
};

/** Returns the result of a capture, void or refund by its notices; undefined if they have none. */
export const outcomeOfModification = (
  notices: readonly AdyenNotice[],
  kind: 'capture' | 'void' | 'refund',
): ProcessorResult | undefined => {
  const last = lastNotice(notices, kind);
  if (!last) return undefined;
  const { eventCode, success, pspReference: reference } = last;
  if (success && eventCode === eventsOf[kind].done) return { outcome: 'OK', reference };
  return { outcome: 'EXC', code: codeOfKind[kind], reference, detail: `adyen ${eventCode}` };
};

/** Checks whether the capture that Adyen made of a payment by itself has failed and was not repeated. A refused request is none. */
export const hasCaptureFailed = (notices: readonly AdyenNotice[]): boolean =>
  lastNotice(
    notices.filter(({ success }) => success),
    'capture',
  )?.eventCode === captureFailed;

/** Returns the result of a payment that was not authorised by its notice. */
export const adyenRefusalResult = ({ pspReference: reference, reason }: AdyenNotice): ProcessorResult => ({
  outcome: 'EXC',
  code: codeOfRefusal(undefined, reason),
  reference,
  detail: 'adyen AUTHORISATION',
});
