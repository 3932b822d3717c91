import * as v from 'valibot';
import type { DisputeDone, DisputeEvidence } from '../ports/dispute.ts';
import { failureOfDispute } from '../ports/json-exchange-client.ts';
import { fieldOfUpload, fileRefusal, type ShopifyFile, shopifyFileOf, shopifyInput } from './shopify-evidence.ts';
import type { AskShopify, PostToShopify } from './shopify-exchange-client.ts';
import { shopifyNumberOf } from './shopify-orders.ts';

/** Submits evidence against a dispute of Shopify Payments. */

type Place = { ask: AskShopify; post: PostToShopify; reference: string };
type Failure = Exclude<DisputeDone, 'done'>;

const text = v.nullish(v.string(), '');

const Asked = v.object({
  dispute: v.nullable(
    v.object({
      status: v.string(),
      evidenceSentOn: text,
      disputeEvidence: v.object({
        id: v.string(),
        submitted: v.boolean(),
        uncategorizedText: text,
        disputeFileUploads: v.array(v.object({ id: v.string(), originalFileName: text })),
      }),
    }),
  ),
});
const Updated = v.object({
  disputeEvidenceUpdate: v.object({
    disputeEvidence: v.nullish(v.object({ submitted: v.boolean() })),
    userErrors: v.array(v.object({ code: text })),
  }),
});
const Uploaded = v.object({ dispute_file_upload: v.object({ id: v.union([v.number(), v.string()]) }) });

type State = {
  id: string;
  status: string;
  isSubmitted: boolean;
  statement: string;
  files: ReadonlyMap<string, string>;
};

const readState = async ({ ask }: Place, number: string): Promise<State | Failure> => {
  const answer = await ask('disputeEvidence', { id: `gid://shopify/ShopifyPaymentsDispute/${number}` });
  const { success, output } = v.safeParse(Asked, 'status' in answer ? answer.body : undefined);
  if (!success) return failureOfDispute('shopify', answer);
  if (!output.dispute) return { refused: 'shopify 404' };
  const { status, evidenceSentOn, disputeEvidence: evidence } = output.dispute;
  const files = new Map(evidence.disputeFileUploads.map(({ id, originalFileName }) => [originalFileName ?? '', id]));
  const isSubmitted = evidence.submitted || (evidenceSentOn ?? '') !== '';
  return { id: evidence.id, status, isSubmitted, statement: evidence.uncategorizedText ?? '', files };
};

const plainStatement = (statement: string): string => statement.replaceAll(/\s+/g, ' ').trim();

/**
 * The result of an earlier submission; undefined if evidence can be submitted now. A person, or Shopify itself, may have submitted other
 * evidence, so only evidence with our text counts.
 * Assumed: what answered an inquiry does not answer the chargeback that it became, which its status shows.
 */
const earlierResult = (state: State, { statement }: DisputeEvidence): DisputeDone | undefined => {
  if (state.status === 'NEEDS_RESPONSE') return undefined;
  if (!state.isSubmitted) return { refused: 'shopify accepts no evidence for this dispute now' };
  return plainStatement(state.statement) === plainStatement(statement)
    ? 'done'
    : { refused: 'other evidence was submitted for this dispute at shopify' };
};

/**
 * The REST Admin API is legacy since 2024-10-01; GraphQL has no mutation for this, even in its unstable version.
 * https://shopify.dev/docs/api/admin-rest/usage/versioning (2026-11-28)
 */
const upload = async ({ post }: Place, number: string, file: ShopifyFile): Promise<{ id: string } | Failure> => {
  const { category: document_type, name: filename, type: mimetype, data } = file;
  const path = `shopify_payments/disputes/${number}/dispute_file_uploads.json`;
  const answer = await post(path, { dispute_file_upload: { document_type, filename, mimetype, data } }, false);
  const { success, output } = v.safeParse(Uploaded, 'status' in answer ? answer.body : undefined);
  if (!success) return failureOfDispute('shopify', answer);
  return { id: `gid://shopify/ShopifyPaymentsDisputeFileUpload/${output.dispute_file_upload.id}` };
};

const update = async ({ ask }: Place, id: string, input: object): Promise<{ isSubmitted: boolean } | Failure> => {
  const answer = await ask('updateEvidence', { id, input });
  const { success, output } = v.safeParse(Updated, 'status' in answer ? answer.body : undefined);
  if (!success) return failureOfDispute('shopify', answer);
  const { disputeEvidence: evidence, userErrors } = output.disputeEvidenceUpdate;
  const [error] = userErrors;
  if (error) return { refused: `shopify ${error.code || 'refused the evidence'}` };
  return { isSubmitted: evidence?.submitted === true };
};

/** Makes the uploads those of the evidence, and returns their ids by field. Removes what an earlier try uploaded and was replaced since. */
const matchUploads = async (
  place: Place,
  number: string,
  state: State,
  files: readonly ShopifyFile[],
): Promise<{ ids: Readonly<Record<string, string>> } | Failure> => {
  for (const [name, id] of state.files) {
    const field = fieldOfUpload(name);
    if (field === undefined || files.some((file) => file.name === name)) continue;
    const removed = await update(place, state.id, { [field]: { id, destroy: true } });
    if (!('isSubmitted' in removed)) return removed;
  }
  const ids: Record<string, string> = {};
  for (const file of files) {
    const known = state.files.get(file.name);
    const uploaded = known === undefined ? await upload(place, number, file) : { id: known };
    if (!('id' in uploaded)) return uploaded;
    ids[file.field] = uploaded.id;
  }
  return { ids };
};

/**
 * Uploads the files and submits the evidence. Files that an earlier try uploaded are used again. Shopify has no idempotency keys for
 * this: if the answer is not known, the dispute is read again.
 */
export const submitToShopify = async (place: Place, evidence: DisputeEvidence): Promise<DisputeDone> => {
  const refused = fileRefusal(evidence.files);
  if (refused !== undefined) return { refused };
  const number = shopifyNumberOf(place.reference);
  if (number === undefined) return { refused: 'shopify 404' };
  const before = await readState(place, number);
  if (!('id' in before)) return before;
  const earlier = earlierResult(before, evidence);
  if (earlier !== undefined) return earlier;
  const uploads = await matchUploads(place, number, before, evidence.files.map(shopifyFileOf));
  if (!('ids' in uploads)) return uploads;
  const result = await update(place, before.id, shopifyInput(evidence, uploads.ids));
  if ('refused' in result) return result;
  const isSaved = 'isSubmitted' in result;
  // Apps have seen Shopify save the evidence and ignore `submitEvidence`.
  if (isSaved && !result.isSubmitted) return { refused: savedOnly };
  if (isSaved && !before.isSubmitted) return 'done';
  const after = await readState(place, number);
  if (!('id' in after)) return isSaved ? after : result;
  const submitted = after.isSubmitted ? earlierResult(after, evidence) : undefined;
  return submitted ?? (isSaved ? { refused: savedOnly } : result);
};

const savedOnly = 'shopify saved the evidence without submitting it: submit it in the admin of the shop';
