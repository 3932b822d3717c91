import { sha256 } from '#core/kernel/crypto.ts';
import type { DisputeEvidence } from '../ports/dispute.ts';
import { type EvidenceKind, evidenceKinds, type FileOfEvidence } from '../ports/evidence-kinds.ts';

/**
 * Evidence as Shopify accepts it; it fills in the addresses and the fulfillments from the order.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/input-objects/ShopifyPaymentsDisputeEvidenceUpdateInput
 */

/** A field for a file, and the name of its category in the REST API, which alone accepts files in stable versions. */
type FileSlot = { field: string; category: string };

const slots: Partial<Readonly<Record<EvidenceKind, FileSlot>>> = {
  customer_communication: { field: 'customerCommunicationFile', category: 'customer_communication_file' },
  shipping: { field: 'shippingDocumentationFile', category: 'shipping_documentation_file' },
  service: { field: 'serviceDocumentationFile', category: 'service_documentation_file' },
  refund_policy: { field: 'refundPolicyFile', category: 'refund_policy_file' },
  cancellation_policy: { field: 'cancellationPolicyFile', category: 'cancellation_policy_file' },
};
const uncategorized: FileSlot = { field: 'uncategorizedFile', category: 'uncategorized_file' };

/** The most bytes of all files. @see https://shopify.dev/docs/api/admin-rest/latest/resources/dispute-file-upload */
const maxShopifyBytes = 4_000_000;

/** Returns why Shopify cannot accept the files; undefined if it can. */
export const fileRefusal = (files: readonly FileOfEvidence[]): string | undefined => {
  if (files.reduce((sum, { bytes }) => sum + bytes.length, 0) >= maxShopifyBytes)
    return 'shopify accepts files of less than 4 MB in total';
  const others = files.filter(({ kind }) => !slots[kind]);
  return others.length > 1
    ? `shopify has one place for files of the kinds ${others.map(({ kind }) => kind).join(', ')}: combine them in one file`
    : undefined;
};

export type ShopifyFile = FileSlot & { name: string; type: string; data: string };

/** The file for an upload. Its name depends on its content, so that it is found again after a lost answer. */
export const shopifyFileOf = ({ kind, type, bytes }: FileOfEvidence): ShopifyFile => {
  const data = Buffer.from(bytes).toString('base64');
  const name = `${kind}-${sha256(data).slice(0, 12)}.${type.replace(/^.+\//, '')}`;
  return { ...(slots[kind] ?? uncategorized), name, type, data };
};

/** The field of a file that an earlier try uploaded, by its name; undefined for a file of a person or of another app. */
export const fieldOfUpload = (name: string): string | undefined => {
  const [, named] = /^([a-z_]+)-[\da-f]{12}\.(?:pdf|png|jpeg)$/.exec(name) ?? [];
  const kind = evidenceKinds.find((one) => one === named);
  return kind && (slots[kind] ?? uncategorized).field;
};

/** The fields that submit the evidence. `ids`: of files, by their fields. */
export const shopifyInput = (
  { customer, accessLog, statement }: DisputeEvidence,
  ids: Readonly<Record<string, string>>,
): object => ({
  ...(customer.email && { customerEmailAddress: customer.email }),
  ...(accessLog && { accessActivityLog: accessLog }),
  uncategorizedText: statement,
  ...Object.fromEntries(Object.entries(ids).map(([field, id]) => [field, { id }])),
  submitEvidence: true,
});
