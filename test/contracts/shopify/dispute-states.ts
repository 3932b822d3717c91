/** The published states of a dispute of Shopify Payments. */
export const shopifyDisputeFacts = {
  source: 'https://shopify.dev/docs/api/admin-graphql/2026-07/enums/DisputeStatus, …/DisputeType',
  version: '2026-07',
  date: '2026-11-28',
  statuses: ['ACCEPTED', 'LOST', 'NEEDS_RESPONSE', 'PREVENTED', 'UNDER_REVIEW', 'WON', 'CHARGE_REFUNDED'],
  types: ['CHARGEBACK', 'INQUIRY'],
} as const;
