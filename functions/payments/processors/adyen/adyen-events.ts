/**
 * The events of Adyen's standard webhooks: https://github.com/Adyen/adyen-openapi, Webhooks-v1.json (2026-07-01), and
 * https://docs.adyen.com/api-explorer/Webhooks/1/overview (2026-11-28). An event in none of these lists raises an alarm.
 */

/**
 * The events of a dispute, in the order of its life, which decides only between two of the same time: then one that is lost comes after one
 * that is won, so that money is never counted as returned by an event that may be older.
 */
export const disputeEvents = [
  'REQUEST_FOR_INFORMATION',
  'NOTIFICATION_OF_CHARGEBACK',
  'DISPUTE_OPENED_WITH_CHARGEBACK',
  'CHARGEBACK',
  'DISPUTE_DEFENSE_PERIOD_ENDED',
  'CHARGEBACK_REVERSED',
  'ISSUER_RESPONSE_TIMEFRAME_EXPIRED',
  'PREARBITRATION_OPEN',
  'PREARBITRATION_DECLINED',
  'SCHEME_ARBITRATION',
  'PREARBITRATION_ISSUER_WITHDRAWN',
  'PREARBITRATION_WON',
  'SECOND_CHARGEBACK',
  'PREARBITRATION_ACCEPTED',
  'PREARBITRATION_LOST',
  'SCHEME_ARBITRATION_WON',
  'SCHEME_ARBITRATION_LOST',
] as const;
export type DisputeEvent = (typeof disputeEvents)[number];

export const isDisputeEvent = (code: string): code is DisputeEvent => disputeEvents.some((one) => one === code);

/** Issuers' reports of fraud: Visa's TC40, Mastercard's SAFE. They are warnings, not disputes. */
export const fraudEvent = 'NOTIFICATION_OF_FRAUD';
/** Documents were supplied, or the dispute was defended. @see https://docs.adyen.com/api-explorer/Webhooks/1/post/INFORMATION_SUPPLIED */
export const suppliedEvent = 'INFORMATION_SUPPLIED';

/** The events that tell how a payment, a capture, a void or a refund went. */
export const adyenPaymentEvents = [
  ...['AUTHORISATION', 'CANCELLATION', 'CAPTURE', 'CAPTURE_FAILED', 'CANCEL_OR_REFUND', 'EXPIRE'],
  ...['REFUND', 'REFUND_FAILED', 'REFUNDED_REVERSED', 'TECHNICAL_CANCEL'],
] as const;

/** Events that are kept and change nothing, each with the reason. */
export const ignoredEvents: Readonly<Record<string, string>> = {
  ISSUER_COMMENTS: 'text of the issuer, which changes no state',
  AUTHORISATION_ADJUSTMENT: 'amounts of authorisations are not adjusted from here',
  AUTORESCUE: 'declined payments are not retried by Adyen (Auto Rescue)',
  CANCEL_AUTORESCUE: 'declined payments are not retried by Adyen (Auto Rescue)',
  MANUAL_REVIEW_ACCEPT: 'cases of Adyen’s own risk review; the payment’s events tell what follows',
  MANUAL_REVIEW_REJECT: 'cases of Adyen’s own risk review; the payment’s events tell what follows',
  OFFER_CLOSED: 'an offer on a page of Adyen, before there is a payment',
  ORDER_OPENED: 'partial payments with gift cards are not taken here',
  ORDER_CLOSED: 'partial payments with gift cards are not taken here',
  PAIDOUT_REVERSED: 'payouts are not made through Adyen from here',
  PAYOUT_DECLINE: 'payouts are not made through Adyen from here',
  PAYOUT_EXPIRE: 'payouts are not made through Adyen from here',
  PAYOUT_THIRDPARTY: 'payouts are not made through Adyen from here',
  POSTPONED_REFUND: 'a refund after a capture that was made in the point of sale',
  VOID_PENDING_REFUND: 'a refund after a capture that was made in the point of sale',
  REFUND_WITH_DATA: 'refunds to an account that the merchant names are not made from here',
  RECURRING_CONTRACT: 'tokens are read from the payment itself',
  REPORT_AVAILABLE: 'reports are not read',
  ACH_NOTIFICATION_OF_CHANGE: 'payments by ACH are not taken here',
  DIRECT_DEBIT_NOTICE_OF_CHANGE_NOTIFICATION: 'direct debits are not taken here',
};

/** Events that are kept and read: the published ones, and our own `DEFENDED_HERE`. */
export const isKnownEvent = (code: string): boolean =>
  isDisputeEvent(code) ||
  adyenPaymentEvents.some((one) => one === code) ||
  [fraudEvent, suppliedEvent].includes(code) ||
  Object.hasOwn(ignoredEvents, code);
