import type { DisputeEvidence } from '../ports/dispute.ts';
import type { EvidenceKind } from '../ports/evidence-kinds.ts';

/** Evidence as Braintree takes it: texts and files, each with the category of the requirement that it meets. */

/** @see https://developer.paypal.com/braintree/graphql/reference/types/dispute-text-evidence-category */
type TextCategory =
  | 'GENERAL'
  | 'CARRIER_NAME'
  | 'DEVICE_ID'
  | 'PURCHASER_EMAIL_ADDRESS'
  | 'PURCHASER_IP_ADDRESS'
  | 'PURCHASER_NAME'
  | 'TRACKING_NUMBER';

/** @see https://developer.paypal.com/braintree/graphql/reference/types/dispute-file-evidence-category */
type FileCategory = 'GENERAL' | 'PROOF_OF_DELIVERY' | 'PROOF_OF_POSSESSION_OR_USAGE' | 'SIGNED_DELIVERY_FORM';

export type BraintreeText = { category: TextCategory; content: string };

/** The texts, without empty ones. The response to the issuer is the first: where a dispute has it, the files were added before it. */
export const braintreeTexts = ({ customer, shipping, compelling, statement }: DisputeEvidence): BraintreeText[] => {
  const texts: [TextCategory, string | null | undefined][] = [
    ['GENERAL', statement],
    ['PURCHASER_NAME', customer.name],
    ['PURCHASER_EMAIL_ADDRESS', customer.email],
    ['PURCHASER_IP_ADDRESS', customer.ip],
    ['DEVICE_ID', compelling?.disputed.deviceId],
    ['CARRIER_NAME', shipping.carrier],
    ['TRACKING_NUMBER', shipping.trackingNumber],
  ];
  return texts.flatMap(([category, content]) => (content ? [{ category, content }] : []));
};

const categories: Partial<Readonly<Record<EvidenceKind, FileCategory>>> = {
  shipping: 'PROOF_OF_DELIVERY',
  service: 'PROOF_OF_POSSESSION_OR_USAGE',
  signature: 'SIGNED_DELIVERY_FORM',
};

export const fileCategoryOf = (kind: EvidenceKind): FileCategory => categories[kind] ?? 'GENERAL';

/** The most bytes of one file. @see https://developer.paypal.com/braintree/graphql/integration_guides/uploading_files */
export const maxBraintreeFileBytes = 4_000_000;
