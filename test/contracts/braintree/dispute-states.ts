/** The published states of a dispute. */
export const braintreeDisputeFacts = {
  source: 'https://developer.paypal.com/braintree/graphql/reference/types/dispute-status, …/dispute-type',
  version: '2019-01-01',
  date: '2026-11-28',
  statuses: ['ACCEPTED', 'AUTO_ACCEPTED', 'DISPUTED', 'EXPIRED', 'LOST', 'OPEN', 'UNDER_REVIEW', 'WON'],
  types: ['RETRIEVAL', 'CHARGEBACK', 'PRE_ARBITRATION'],
} as const;
