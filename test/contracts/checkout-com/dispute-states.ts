/** The published states of a dispute, and why one is resolved. */
export const checkoutComDisputeFacts = {
  source:
    'https://api-reference.checkout.com/#tag/Disputes, and DisputeStatus, DisputeCategory and DisputeResolvedReason of checkout-sdk-java',
  version: 'checkout-sdk-java 2026-08-19',
  date: '2026-11-28',
  statuses: [
    ...['evidence_required', 'evidence_under_review', 'arb_evidence_submitted', 'arbitration_under_review', 'accepted'],
    ...['arbitration_lost', 'expired', 'lost', 'arbitration_won', 'canceled', 'resolved', 'won'],
  ],
  categories: [
    ...[
      'general',
      'duplicate',
      'fraudulent',
      'unrecognized',
      'incorrect_amount',
      'not_as_described',
      'credit_not_issued',
    ],
    ...['canceled_recurring', 'product_service_not_received'],
  ],
  resolvedReasons: ['rapid_dispute_resolution', 'negative_amount', 'already_refunded'],
} as const;
