import { iso, milliseconds } from '#core/kernel/clock.ts';
import type { FakeReply, FakeRequest } from './fake-processor.ts';

/** Disputes of Shopify Payments, and the evidence that apps and persons give for them. */

export type ShopifyUpload = { id: string; document_type: string; filename: string; mimetype: string; data: string };

export type FakeShopifyDispute = {
  id: string;
  order: string;
  type: string;
  /** The type with which it began, which is all that an order names; default: its present one. */
  initiatedAs?: string;
  status: string;
  at: number;
  /** Evidence was submitted: by an app, a person, or Shopify when the time was over. */
  isSubmitted: boolean;
  /** The fields of the evidence, as they were last written. */
  evidence: Record<string, unknown>;
  uploads: ShopifyUpload[];
  /** Shopify saves the evidence and does not submit it, as apps have seen it do. */
  ignoresSubmission: boolean;
};

export const emptyShopifyEvidence = (): Pick<
  FakeShopifyDispute,
  'isSubmitted' | 'evidence' | 'uploads' | 'ignoresSubmission'
> => ({ isSubmitted: false, evidence: {}, uploads: [], ignoresSubmission: false });

const day = (at: number): string => iso(at).slice(0, 10);

/** `money` and `order`: as the schema has them. */
export const shopifyDisputeDto = (
  one: FakeShopifyDispute,
  { money, order }: { money: object; order: object },
): object => ({
  ...{ id: `gid://shopify/ShopifyPaymentsDispute/${one.id}`, type: one.type, status: one.status },
  ...{ initiatedAt: iso(one.at), evidenceDueBy: iso(one.at + 7 * milliseconds.day) },
  evidenceSentOn: one.isSubmitted ? day(one.at) : null,
  amount: money,
  reasonDetails: { reason: 'FRAUDULENT', networkReasonCode: '10.4' },
  order,
  disputeEvidence: evidenceDto(one),
});

const evidenceDto = (one: FakeShopifyDispute): object => ({
  id: `gid://shopify/ShopifyPaymentsDisputeEvidence/${one.id}`,
  submitted: one.isSubmitted,
  uncategorizedText: one.evidence['uncategorizedText'] ?? null,
  disputeFileUploads: one.uploads.map(({ id, filename, mimetype, data, document_type }) => ({
    ...{ id: uploadId(id), originalFileName: filename, fileType: mimetype },
    ...{ fileSize: Buffer.from(data, 'base64').length, disputeEvidenceType: document_type.toUpperCase() },
  })),
});

const uploadId = (id: string): string => `gid://shopify/ShopifyPaymentsDisputeFileUpload/${id}`;

type Update = { id: string; input: Record<string, unknown> };

const refused = (code: string): object => ({
  disputeEvidence: null,
  userErrors: [{ code, field: null, message: 'Words of Shopify' }],
});

export const updateShopifyEvidence = (
  disputes: ReadonlyMap<string, FakeShopifyDispute>,
  { id, input: { submitEvidence, ...fields } }: Update,
): object => {
  const dispute = disputes.get(id.split('/').at(-1) ?? '');
  if (!dispute) return refused('DISPUTE_EVIDENCE_NOT_FOUND');
  // Assumed: an inquiry's evidence stays shown as submitted in the chargeback that it becomes, which takes evidence of its own.
  if (dispute.status !== 'NEEDS_RESPONSE')
    return refused(dispute.isSubmitted ? 'EVIDENCE_ALREADY_ACCEPTED' : 'EVIDENCE_PAST_DUE_DATE');
  const files = Object.values(fields).flatMap((value) => (value && typeof value === 'object' ? [value] : []));
  if (!files.every((file) => 'id' in file && dispute.uploads.some((one) => uploadId(one.id) === file.id)))
    return refused('FILE_NOT_FOUND');
  for (const [name, value] of Object.entries(fields)) {
    const removed = value && typeof value === 'object' && 'destroy' in value && value.destroy && 'id' in value;
    dispute.evidence[name] = removed ? null : value;
    if (removed) dispute.uploads = dispute.uploads.filter((one) => uploadId(one.id) !== value.id);
  }
  if (submitEvidence === true && !dispute.ignoresSubmission)
    Object.assign(dispute, { isSubmitted: true, status: 'UNDER_REVIEW' });
  return { disputeEvidence: evidenceDto(dispute), userErrors: [] };
};

const categories = [
  ...['customer_communication_file', 'refund_policy_file', 'cancellation_policy_file', 'uncategorized_file'],
  ...['shipping_documentation_file', 'service_documentation_file', 'customer_signature_file'],
];

/** Stores a file, as the REST API does; undefined for another request. */
export const uploadToFakeShopify = (
  disputes: ReadonlyMap<string, FakeShopifyDispute>,
  { method, path, body }: FakeRequest,
  nextId: () => string,
): FakeReply | undefined => {
  const [, id] =
    /^\/admin\/api\/2026-07\/shopify_payments\/disputes\/(\d+)\/dispute_file_uploads\.json$/.exec(path) ?? [];
  if (method !== 'POST' || id === undefined) return undefined;
  const dispute = disputes.get(id);
  if (!dispute) return { status: 404, body: { errors: 'Not Found' } };
  const { dispute_file_upload: sent } = JSON.parse(body) as { dispute_file_upload: Omit<ShopifyUpload, 'id'> };
  const isKnown = ['application/pdf', 'image/png', 'image/jpeg'].includes(sent.mimetype);
  if (!categories.includes(sent.document_type) || !isKnown) return { status: 422, body: { errors: 'Invalid' } };
  const upload = { ...sent, id: nextId() };
  dispute.uploads.push(upload);
  const { document_type: dispute_evidence_type, filename: original_filename, mimetype: file_type } = sent;
  return {
    status: 200,
    body: { dispute_file_upload: { id: Number(upload.id), dispute_evidence_type, original_filename, file_type } },
  };
};
