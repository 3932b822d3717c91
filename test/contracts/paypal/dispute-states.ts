/** The published states of a dispute. */
export const payPalDisputeFacts = {
  source: 'https://github.com/paypal/paypal-rest-api-specifications/blob/main/openapi/customer_disputes_v1.json',
  version: '1.10',
  date: '2024-02-03',
  statuses: ['OPEN', 'WAITING_FOR_BUYER_RESPONSE', 'WAITING_FOR_SELLER_RESPONSE', 'UNDER_REVIEW', 'RESOLVED', 'OTHER'],
  stages: ['INQUIRY', 'CHARGEBACK', 'PRE_ARBITRATION', 'ARBITRATION'],
  reasons: [
    ...['MERCHANDISE_OR_SERVICE_NOT_RECEIVED', 'MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED', 'UNAUTHORISED'],
    ...['CREDIT_NOT_PROCESSED', 'DUPLICATE_TRANSACTION', 'INCORRECT_AMOUNT', 'PAYMENT_BY_OTHER_MEANS'],
    ...['CANCELED_RECURRING_BILLING', 'PROBLEM_WITH_REMITTANCE', 'OTHER'],
  ],
  outcomes: [
    ...['RESOLVED_BUYER_FAVOUR', 'RESOLVED_SELLER_FAVOUR', 'RESOLVED_WITH_PAYOUT', 'CANCELED_BY_BUYER'],
    ...['ACCEPTED', 'DENIED', 'NONE'],
  ],
} as const;
