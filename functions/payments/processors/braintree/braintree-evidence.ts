import { sha256 } from '#core/kernel/crypto.ts';
import type { DisputeEvidence } from '../ports/dispute.ts';
import type { EvidenceKind, FileOfEvidence } from '../ports/evidence-kinds.ts';

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

/** A piece of evidence with the mutation that adds it. `name`: by its category and content. */
export type BraintreePiece = { name: string } & (
  | { document: 'createDisputeTextEvidence'; input: { category: TextCategory; content: string }; file?: undefined }
  | { document: 'createDisputeFileEvidence'; input: { category: FileCategory }; file: FileOfEvidence }
);

export const nameOfText = (category: string, content: string): string => `text:${sha256(`${category} ${content}`)}`;

/** The texts, without empty ones. */
const textPieces = ({ customer, shipping, compelling, statement }: DisputeEvidence): BraintreePiece[] => {
  const texts: [TextCategory, string | null | undefined][] = [
    ['GENERAL', statement],
    ['PURCHASER_NAME', customer.name],
    ['PURCHASER_EMAIL_ADDRESS', customer.email],
    ['PURCHASER_IP_ADDRESS', customer.ip],
    ['DEVICE_ID', compelling?.disputed.deviceId],
    ['CARRIER_NAME', shipping.carrier],
    ['TRACKING_NUMBER', shipping.trackingNumber],
  ];
  return texts.flatMap(([category, content]) =>
    content
      ? [{ name: nameOfText(category, content), document: 'createDisputeTextEvidence', input: { category, content } }]
      : [],
  );
};

const categories: Partial<Readonly<Record<EvidenceKind, FileCategory>>> = {
  shipping: 'PROOF_OF_DELIVERY',
  service: 'PROOF_OF_POSSESSION_OR_USAGE',
  signature: 'SIGNED_DELIVERY_FORM',
};

/** The most bytes of one file. @see https://developer.paypal.com/braintree/graphql/integration_guides/uploading_files */
const maxFileBytes = 4_000_000;

const filePiece = (file: FileOfEvidence): BraintreePiece => {
  const category = categories[file.kind] ?? 'GENERAL';
  const name = `file:${sha256(`${category} ${file.name} ${Buffer.from(file.bytes).toString('base64')}`)}`;
  return { name, document: 'createDisputeFileEvidence', input: { category }, file };
};

/** The pieces of the evidence; or why Braintree cannot accept them. */
export const braintreePieces = (evidence: DisputeEvidence): readonly BraintreePiece[] | { refused: string } => {
  const large = evidence.files.find(({ bytes }) => bytes.length > maxFileBytes);
  if (large) return { refused: `braintree takes files of up to 4 MB, and ${large.name} is larger` };
  return [...evidence.files.map(filePiece), ...textPieces(evidence)];
};
