/** The guides that the page of the document leads to, in the order in which a merchant's developer needs them. */
export const guides = [
  { file: 'onboarding.md', title: 'Onboarding from nothing' },
  { file: 'test-alerts.md', title: 'Test alerts' },
  { file: 'receive-alerts.md', title: 'Receive an alert' },
  { file: 'answer-alerts.md', title: 'Answer an alert' },
  { file: 'enrollment.md', title: 'Enroll descriptors' },
  { file: 'payments.md', title: 'Take payments' },
  { file: 'postbacks.md', title: 'Postbacks' },
  { file: 'errors.md', title: 'Errors and idempotency' },
  { file: 'error-codes.md', title: 'Error codes' },
  { file: 'pages.md', title: 'Pages of a list' },
  { file: 'going-live.md', title: 'Going live' },
] as const;
