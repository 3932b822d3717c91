/** The published statuses and case types of a dispute. */
export const stripeDisputeFacts = {
  source: 'https://docs.stripe.com/api/disputes/object, and the types of npm stripe 23.1.0',
  version: '2026-10-28.endive',
  date: '2026-11-28',
  statuses: [
    ...['warning_needs_response', 'warning_under_review', 'warning_closed', 'needs_response', 'under_review'],
    ...['appeal_needs_response', 'appeal_under_review', 'won', 'lost', 'prevented'],
  ],
  reasons: [
    ...['bank_cannot_process', 'check_returned', 'credit_not_processed', 'customer_initiated', 'debit_not_authorized'],
    ...['duplicate', 'fraudulent', 'general', 'incorrect_account_details', 'insufficient_funds', 'noncompliant'],
    ...['product_not_received', 'product_unacceptable', 'subscription_canceled', 'unrecognized'],
  ],
  caseTypes: ['block', 'chargeback', 'compliance', 'inquiry', 'resolution'],
} as const;
