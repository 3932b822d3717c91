import type { DisputeEvidence } from '../ports/dispute.ts';
import type { EvidenceKind, FileOfEvidence } from '../ports/evidence-kinds.ts';

/**
 * Evidence as Checkout.com accepts it: one file and one short text in each field. Pure.
 * @see https://api-reference.checkout.com/#operation/provideDisputeEvidence
 */

type FileField =
  | 'additional_evidence_file'
  | 'customer_communication_file'
  | 'invoice_or_receipt_file'
  | 'invoice_showing_distinct_transactions_file'
  | 'proof_of_delivery_or_service_file'
  | 'refund_or_cancellation_policy_file';

const fields: Partial<Readonly<Record<EvidenceKind, FileField>>> = {
  receipt: 'invoice_or_receipt_file',
  customer_communication: 'customer_communication_file',
  shipping: 'proof_of_delivery_or_service_file',
  service: 'proof_of_delivery_or_service_file',
  refund_policy: 'refund_or_cancellation_policy_file',
  cancellation_policy: 'refund_or_cancellation_policy_file',
  signature: 'proof_of_delivery_or_service_file',
  duplicate: 'invoice_showing_distinct_transactions_file',
};

export type CheckoutComFile = FileOfEvidence & { field: FileField };

/** Divides the files into the first of each field, and those that go behind the letter because they have no field of their own. */
export const divideFiles = (
  files: readonly FileOfEvidence[],
): { placed: readonly CheckoutComFile[]; behindLetter: readonly FileOfEvidence[] } => {
  const placed: CheckoutComFile[] = [];
  const behindLetter: FileOfEvidence[] = [];
  for (const file of files) {
    const field = fields[file.kind];
    if (field && placed.every((other) => other.field !== field)) placed.push({ ...file, field });
    else behindLetter.push(file);
  }
  return { placed, behindLetter };
};

/** The field of the letter, which is longer than a text may be. */
export const letterField: FileField = 'additional_evidence_file';

const maxTextLength = 500;

/** The short texts. */
export const checkoutComTexts = ({ shipping }: DisputeEvidence): Readonly<Record<string, string>> => {
  const delivery = [
    shipping.carrier,
    ...(shipping.trackingNumber ? [`tracking number ${shipping.trackingNumber}`] : []),
    ...(shipping.date ? [`shipped ${shipping.date}`] : []),
  ];
  const text = delivery.filter(Boolean).join(', ').slice(0, maxTextLength);
  return text ? { proof_of_delivery_or_service_text: text } : {};
};

/** The most bytes of one file. @see https://www.checkout.com/docs/risk-management/disputes/file-uploader */
export const maxCheckoutComFileBytes = 4_000_000;
