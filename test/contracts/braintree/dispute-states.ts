/** The published states of a dispute. */
export const braintreeDisputeFacts = {
  source:
    'https://developer.paypal.com/braintree/graphql/reference/types/dispute-status, …/dispute-type, …/dispute-reason',
  version: '2019-01-01',
  date: '2026-11-28',
  statuses: ['ACCEPTED', 'AUTO_ACCEPTED', 'DISPUTED', 'EXPIRED', 'LOST', 'OPEN', 'UNDER_REVIEW', 'WON'],
  types: ['RETRIEVAL', 'CHARGEBACK', 'PRE_ARBITRATION'],
  reasons: [
    ...['CANCELLED_RECURRING_TRANSACTION', 'CREDIT_NOT_PROCESSED', 'DUPLICATE', 'FRAUD', 'GENERAL', 'INVALID_ACCOUNT'],
    ...['NOT_RECOGNIZED', 'PRODUCT_NOT_RECEIVED', 'PRODUCT_UNSATISFACTORY', 'RETRIEVAL', 'TRANSACTION_AMOUNT_DIFFERS'],
  ],
} as const;

/** The published reasons for which Braintree itself rejects a payment: https://developer.paypal.com/braintree/graphql/reference/enums/GatewayRejectionReason */
export const braintreeRejections = [
  ...['APPLICATION_INCOMPLETE', 'AVS', 'AVS_AND_CVV', 'CVV', 'DUPLICATE', 'EXCESSIVE_RETRY', 'FRAUD'],
  ...['MANUAL_TRANSACTIONS_DISABLED', 'PAYMENT_METHOD_BLOCKED', 'RISK_THRESHOLD', 'THREE_D_SECURE', 'TOKEN_ISSUANCE'],
  ...['TOO_MANY_CONFIRMATION_ATTEMPTS', 'UNION_PAY_ENROLLMENT_REQUIRED'],
] as const;
