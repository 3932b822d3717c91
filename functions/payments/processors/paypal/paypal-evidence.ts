import type { DisputeEvidence } from '../ports/dispute.ts';
import type { EvidenceFileType, EvidenceKind, FileOfEvidence } from '../ports/evidence-kinds.ts';

/**
 * Evidence as PayPal accepts it: pieces of evidence with a type, and files that they name.
 * @see https://docs.paypal.ai/growth/disputes/handle-disputes/use-disputes-api
 */

type EvidenceType =
  | 'PROOF_OF_FULFILLMENT'
  | 'PROOF_OF_DELIVERY_SIGNATURE'
  | 'PROOF_OF_RECEIPT_COPY'
  | 'RETURN_POLICY'
  | 'ADDITIONAL_PROOF_OF_SHIPMENT'
  | 'PROOF_FOR_SOFTWARE_OR_SERVICE_DELIVERED'
  | 'OTHER';

type Piece = {
  evidence_type: EvidenceType;
  evidence_info?: { tracking_info: readonly object[] };
  documents?: readonly { name: string }[];
  notes?: string;
};

const typesOfKinds: Partial<Readonly<Record<EvidenceKind, EvidenceType>>> = {
  receipt: 'PROOF_OF_RECEIPT_COPY',
  shipping: 'ADDITIONAL_PROOF_OF_SHIPMENT',
  service: 'PROOF_FOR_SOFTWARE_OR_SERVICE_DELIVERED',
  refund_policy: 'RETURN_POLICY',
  signature: 'PROOF_OF_DELIVERY_SIGNATURE',
};

const extensions: Readonly<Record<EvidenceFileType, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
};

/** PayPal allows few characters in a name, and no second dot. */
const fileName = ({ kind, type }: FileOfEvidence): string => `${kind}.${extensions[type]}`;

/** Some of PayPal's names of carriers; others are given in words. */
const carriers: readonly string[] = [
  'UPS',
  'USPS',
  'FEDEX',
  'DHL',
  'ROYAL_MAIL',
  'PARCELFORCE',
  'TNT',
  'DPD',
  'HERMES',
];

const toTracking = ({ carrier, trackingNumber }: DisputeEvidence['shipping']): object => {
  const name = carrier
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_');
  return carriers.includes(name)
    ? { carrier_name: name, tracking_number: trackingNumber }
    : { carrier_name: 'OTHER', carrier_name_other: carrier || 'unknown', tracking_number: trackingNumber };
};

/** The most characters of a note. @see https://developer.paypal.com/docs/api/customer-disputes/v1/#disputes_provide-evidence */
const maxNote = 2000;

const inFull = '\n\nThe whole response is in response.pdf.';

/** Checks whether the response is too long for a note, so that it is attached as a PDF as well. */
export const needsLetter = ({ statement }: Pick<DisputeEvidence, 'statement'>): boolean => statement.length > maxNote;

/** The response as a note; one that is too long is cut after a line. */
export const payPalNoteOf = ({ statement }: Pick<DisputeEvidence, 'statement'>): string => {
  if (!needsLetter({ statement })) return statement;
  const start = statement.slice(0, maxNote - inFull.length).toWellFormed();
  const end = start.lastIndexOf('\n');
  return `${(end > 0 ? start.slice(0, end) : start).trimEnd()}${inFull}`;
};

/**
 * The pieces of evidence, and the files under the names that these use. `requested`: the types that PayPal asks the merchant for; a file of
 * another type is sent as `OTHER`, with the note. `letter`: the response as a PDF, if the note is not enough.
 */
export const payPalEvidence = (
  evidence: DisputeEvidence,
  requested: readonly string[],
  letter?: Uint8Array,
): { pieces: readonly Piece[]; files: readonly (FileOfEvidence & { name: string })[] } => {
  const response = { kind: 'other', name: 'response.pdf', type: 'application/pdf' } as const;
  const files = [
    ...evidence.files.map((file) => ({ ...file, name: fileName(file) })),
    ...(letter ? [{ ...response, bytes: letter }] : []),
  ];
  const typeOf = (kind: EvidenceKind): EvidenceType => {
    const type = typesOfKinds[kind];
    return type && requested.includes(type) ? type : 'OTHER';
  };
  const others = files.filter(({ kind }) => typeOf(kind) === 'OTHER').map(({ name }) => ({ name }));
  const { shipping } = evidence;
  const pieces: Piece[] = [
    ...(shipping.trackingNumber
      ? [{ evidence_type: 'PROOF_OF_FULFILLMENT' as const, evidence_info: { tracking_info: [toTracking(shipping)] } }]
      : []),
    ...files.flatMap(({ kind, name }) =>
      typeOf(kind) === 'OTHER' ? [] : [{ evidence_type: typeOf(kind), documents: [{ name }] }],
    ),
    { evidence_type: 'OTHER', notes: payPalNoteOf(evidence), ...(others.length > 0 && { documents: others }) },
  ];
  return { pieces, files };
};
