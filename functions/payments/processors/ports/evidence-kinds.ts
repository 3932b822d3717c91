/** Files as evidence against a dispute. */

/** The kinds of proof. A dispute has at most one file of a kind: issuers expect proof of one kind in one file. */
export const evidenceKinds = [
  'receipt',
  'customer_communication',
  'shipping',
  'service',
  'refund_policy',
  'cancellation_policy',
  'signature',
  'duplicate',
  'other',
] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

/** The names of the kinds in letters to issuers, and in the dashboard. */
export const evidenceKindNames = {
  receipt: 'Receipt',
  customer_communication: 'Communication with the customer',
  shipping: 'Proof of shipping',
  service: 'Proof of the service',
  refund_policy: 'Refund policy',
  cancellation_policy: 'Cancellation policy',
  signature: 'Signature of the customer',
  duplicate: 'Proof of two separate charges',
  other: 'Further evidence',
} as const satisfies Readonly<Record<EvidenceKind, string>>;

/** https://docs.stripe.com/file-upload */
export const evidenceFileTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const;
export type EvidenceFileType = (typeof evidenceFileTypes)[number];

/** A file with its content. */
export type FileOfEvidence = { kind: EvidenceKind; name: string; type: EvidenceFileType; bytes: Uint8Array };

/**
 * The most bytes of all files of a dispute. Stripe does not document its limit; others measured 4.5 MB:
 * https://github.com/Automattic/woocommerce-payments/pull/2046
 */
export const maxEvidenceBytes = 4_500_000;
