/** The published states of a dispute. */
export const braintreeDisputeFacts = {
  source: 'https://developer.paypal.com/braintree/graphql/reference/types/dispute-status, …/dispute-type',
  version: '2019-01-01',
  date: '2026-11-28',
  statuses: ['ACCEPTED', 'AUTO_ACCEPTED', 'DISPUTED', 'EXPIRED', 'LOST', 'OPEN', 'UNDER_REVIEW', 'WON'],
  types: ['RETRIEVAL', 'CHARGEBACK', 'PRE_ARBITRATION'],
} as const;

/** The published reasons for which Braintree itself rejects a payment: https://developer.paypal.com/braintree/graphql/reference/enums/GatewayRejectionReason */
export const braintreeRejections = [
  ...['APPLICATION_INCOMPLETE', 'AVS', 'AVS_AND_CVV', 'CVV', 'DUPLICATE', 'EXCESSIVE_RETRY', 'FRAUD'],
  ...['MANUAL_TRANSACTIONS_DISABLED', 'PAYMENT_METHOD_BLOCKED', 'RISK_THRESHOLD', 'THREE_D_SECURE', 'TOKEN_ISSUANCE'],
  ...['TOO_MANY_CONFIRMATION_ATTEMPTS', 'UNION_PAY_ENROLLMENT_REQUIRED'],
] as const;
