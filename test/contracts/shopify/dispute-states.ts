/** The published states of a dispute of Shopify Payments. */
export const shopifyDisputeFacts = {
  source:
    'https://shopify.dev/docs/api/admin-graphql/2026-07/enums/DisputeStatus, …/DisputeType, …/ShopifyPaymentsDisputeReason',
  version: '2026-07',
  date: '2026-11-28',
  statuses: ['ACCEPTED', 'LOST', 'NEEDS_RESPONSE', 'PREVENTED', 'UNDER_REVIEW', 'WON', 'CHARGE_REFUNDED'],
  types: ['CHARGEBACK', 'INQUIRY'],
  reasons: [
    ...['BANK_CANNOT_PROCESS', 'CREDIT_NOT_PROCESSED', 'CUSTOMER_INITIATED', 'DEBIT_NOT_AUTHORIZED', 'DUPLICATE'],
    ...['FRAUDULENT', 'GENERAL', 'INCORRECT_ACCOUNT_DETAILS', 'INSUFFICIENT_FUNDS', 'NONCOMPLIANT'],
    ...['PRODUCT_NOT_RECEIVED', 'PRODUCT_UNACCEPTABLE', 'SUBSCRIPTION_CANCELLED', 'UNRECOGNIZED'],
  ],
} as const;
