export const matchTypes = ['Starts with', 'Exact'] as const;

export const itemStatuses = [
  'PENDING',
  'FAILED',
  'ENROLLED',
  'UNENROLLED',
  'WAITING FOR ACTION',
  'WAITING FOR PROVIDER',
] as const;

/** The provider that enrolls descriptors with the alert providers: see enrollment-provider.ts. */
export type ProviderName = 'manual' | 'sandbox';
