import * as v from 'valibot';
import type { DisputeDone, DisputeEvidence } from '../ports/dispute.ts';
import type { FileOfEvidence } from '../ports/evidence-kinds.ts';
import { failureOfDispute, type JsonAnswer } from '../ports/json-exchange-client.ts';
import {
  type CheckoutComFile,
  checkoutComTexts,
  divideFiles,
  letterField,
  maxCheckoutComFileBytes,
} from './checkout-com-evidence.ts';
import type { AskCheckoutCom } from './checkout-com-exchange-client.ts';

/** Submits evidence against a dispute at Checkout.com. */

type Place = { ask: AskCheckoutCom; reference: string };
type Failure = Exclude<DisputeDone, 'done'>;

const Status = v.object({ status: v.string() });
const Uploaded = v.object({ id: v.string() });

const toFailure = (answer: JsonAnswer): Failure => failureOfDispute('checkout.com', answer);

/** Returns the status of a dispute in Checkout.com's words. */
export const readStatus = async ({ ask, reference }: Place): Promise<{ status: string } | Failure> => {
  if (!/^dsp_\w{1,60}$/.test(reference)) return { refused: 'checkout.com 404' };
  const answer = await ask({ path: `/disputes/${reference}` });
  const { success, output } = v.safeParse(Status, 'body' in answer && answer.status === 200 ? answer.body : undefined);
  return success ? output : toFailure(answer);
};

const isSuccess = (answer: JsonAnswer): boolean => 'status' in answer && answer.status >= 200 && answer.status < 300;

/**
 * Posts an action without a body. If the answer is no success, the dispute is read again, because an earlier answer may have been lost.
 * `status`: what the action leads to.
 */
export const postOfDispute = async (
  { ask, reference }: Place,
  action: 'accept' | 'evidence',
  status: string,
): Promise<DisputeDone> => {
  const answer = await ask({ method: 'POST', path: `/disputes/${reference}/${action}` });
  if (isSuccess(answer)) return 'done';
  const after = await readStatus({ ask, reference });
  return 'status' in after && after.status === status ? 'done' : toFailure(answer);
};

const notNow = { refused: 'checkout.com accepts no evidence for this dispute now' };

/**
 * The result of an earlier submission; undefined if evidence can be submitted now. A dispute that is over may have been decided without
 * any evidence, which only its submitted evidence shows. Evidence for an arbitration has fields of its own.
 */
const earlierResult = async ({ ask, reference }: Place, status: string): Promise<DisputeDone | undefined> => {
  if (status === 'evidence_required') return undefined;
  if (status === 'evidence_under_review') return 'done';
  if (status !== 'won' && status !== 'lost') return notNow;
  const answer = await ask({ path: `/disputes/${reference}/evidence/submitted` });
  if ('status' in answer && answer.status === 404) return notNow;
  return isSuccess(answer) ? 'done' : toFailure(answer);
};

const upload = async ({ ask }: Place, { name, type, bytes }: FileOfEvidence): Promise<{ id: string } | Failure> => {
  const body = new FormData();
  body.append('purpose', 'dispute_evidence');
  body.append('file', new Blob([new Uint8Array(bytes)], { type }), name);
  const answer = await ask({ path: '/files', body });
  const { success, output } = v.safeParse(Uploaded, isSuccess(answer) && 'body' in answer ? answer.body : undefined);
  return success ? output : toFailure(answer);
};

/** The files with the fields for them, the letter first. */
const prepareFiles = async (evidence: DisputeEvidence): Promise<{ files: readonly CheckoutComFile[] } | Failure> => {
  const { placed, behindLetter } = divideFiles(evidence.files);
  const rendered = await evidence.renderLetter(behindLetter, placed);
  if ('refused' in rendered) return rendered;
  const { bytes } = rendered;
  const letter = { kind: 'other', name: 'response.pdf', type: 'application/pdf', bytes, field: letterField } as const;
  const files = [letter, ...placed];
  const large = files.find((file) => file.bytes.length > maxCheckoutComFileBytes);
  return large ? { refused: `checkout.com accepts files of up to 4 MB, and ${large.name} is larger` } : { files };
};

/**
 * Uploads the files, saves the evidence and submits it. Saving replaces what an earlier try saved in the same fields, so a try that ended
 * before the submission leaves only files that no dispute uses.
 */
export const submitToCheckoutCom = async (place: Place, evidence: DisputeEvidence): Promise<DisputeDone> => {
  const before = await readStatus(place);
  if (!('status' in before)) return before;
  const earlier = await earlierResult(place, before.status);
  if (earlier !== undefined) return earlier;
  const prepared = await prepareFiles(evidence);
  if (!('files' in prepared)) return prepared;
  const body: Record<string, string> = { ...checkoutComTexts(evidence) };
  for (const file of prepared.files) {
    const uploaded = await upload(place, file);
    if (!('id' in uploaded)) return uploaded;
    body[file.field] = uploaded.id;
  }
  const saved = await place.ask({ method: 'PUT', path: `/disputes/${place.reference}/evidence`, body });
  if (!isSuccess(saved)) return toFailure(saved);
  return postOfDispute(place, 'evidence', 'evidence_under_review');
};
