import * as v from 'valibot';
import type { DisputesOf } from '../ports/account.ts';
import type { DisputeAnswer, DisputeDone, DisputeEvidence, DisputePort, DisputesAnswer } from '../ports/dispute.ts';
import type { KeylessFailure } from '../ports/keyless.ts';
import { disputeOfBraintree } from './braintree-disputes.ts';
import { braintreeTexts, fileCategoryOf, maxBraintreeFileBytes } from './braintree-evidence.ts';
import { askBraintree, type BraintreeKeys, globalId, searchBraintree } from './braintree-exchange-client.ts';

/** Disputes of a Braintree account. */
export const braintreeDisputes = (credentials: BraintreeKeys): DisputePort => ({
  look: (reference) => look(credentials, reference),
  since: (from) => since(credentials, from),
  submit: (reference, evidence) => submit(credentials, reference, evidence),
  accept: (reference) => accept(credentials, reference),
});

const look = async (credentials: BraintreeKeys, reference: string): Promise<DisputeAnswer> => {
  const global = await globalId(credentials, reference, 'DISPUTE');
  if ('outcome' in global) return absentOr(global);
  const answer = await askBraintree(credentials, { document: 'dispute', variables: { id: global.id }, kind: 'pay' });
  if ('outcome' in answer) return absentOr(answer);
  const found = disputeOfBraintree(answer.data['node']);
  return found ? { found } : { unknown: 'braintree tells of a dispute in words that are not known' };
};

const absentOr = (failure: { outcome: string; code?: string; detail?: string }): DisputeAnswer =>
  failure.code === 'not_found_at_processor' ? { found: null } : { unknown: failure.detail ?? 'braintree' };

const since = async (credentials: BraintreeKeys, from: string): Promise<DisputesAnswer> => {
  const input = { receivedDate: { greaterThanOrEqualTo: from.slice(0, 'YYYY-MM-DD'.length) } };
  const found = await searchBraintree(credentials, { document: 'disputes', input });
  if ('unasked' in found) return { unknown: found.unasked };
  return { found: found.nodes.flatMap((node) => disputeOfBraintree(node) ?? []) };
};

const Response = v.object({
  status: v.string(),
  evidence: v.nullish(v.array(v.object({ category: v.nullish(v.string()), content: v.nullish(v.string()) }))),
});
type Response = { id: string; status: string; texts: readonly string[] };

/** The state of the response to a dispute: `texts` are those that were added. */
const readResponse = async (
  credentials: BraintreeKeys,
  reference: string,
): Promise<Response | Exclude<DisputeDone, 'done'>> => {
  const global = await globalId(credentials, reference, 'DISPUTE');
  if ('outcome' in global) return toFailure(global);
  const { id } = global;
  const answer = await askBraintree(credentials, { document: 'disputeEvidence', variables: { id }, kind: 'pay' });
  if ('outcome' in answer) return toFailure(answer);
  const read = v.safeParse(Response, answer.data['node']);
  if (!read.success) return { unknown: 'braintree tells of a dispute in words that are not known' };
  const { status, evidence } = read.output;
  return { id, status, texts: (evidence ?? []).map(({ category, content }) => textName(category, content)) };
};

const textName = (category: string | null | undefined, content: string | null | undefined): string =>
  `${category ?? 'GENERAL'} ${content ?? ''}`;

const toFailure = ({ outcome, detail = 'braintree' }: KeylessFailure): Exclude<DisputeDone, 'done'> =>
  outcome === 'EXC' ? { refused: detail } : { unknown: detail };

type Change = Pick<Parameters<typeof askBraintree>[1], 'document' | 'file'> & { input?: object };

/**
 * Changes an open dispute, one change after the other. Braintree has no idempotency keys: if a change fails, the dispute is read again, and
 * counts as done if it has the status that the last change leads to, because the answer may have been lost.
 */
const change = async (
  credentials: BraintreeKeys,
  { id, reference }: { id: string; reference: string },
  changes: readonly Change[],
  isDone: (status: string) => boolean,
): Promise<DisputeDone> => {
  for (const { document, input, file } of changes) {
    const variables = { input: { disputeId: id, ...input } };
    const answer = await askBraintree(credentials, { document, variables, kind: 'refund', ...(file && { file }) });
    if (!('outcome' in answer)) continue;
    const after = await readResponse(credentials, reference);
    return 'status' in after && isDone(after.status) ? 'done' : toFailure(answer);
  }
  return 'done';
};

const isSubmitted = (status: string): boolean => ['DISPUTED', 'UNDER_REVIEW', 'WON', 'LOST'].includes(status);

/**
 * Adds the evidence and finalizes the dispute, which sends everything to the issuer. What an earlier try added is not added again, except
 * for a file whose answer was lost, which the issuer then sees twice.
 */
const submit = async (
  credentials: BraintreeKeys,
  reference: string,
  evidence: DisputeEvidence,
): Promise<DisputeDone> => {
  const large = evidence.files.find(({ bytes }) => bytes.length > maxBraintreeFileBytes);
  if (large) return { refused: `braintree takes files of up to 4 MB, and ${large.name} is larger` };
  const before = await readResponse(credentials, reference);
  if (!('status' in before)) return before;
  if (isSubmitted(before.status)) return 'done';
  const texts = braintreeTexts(evidence).filter(
    ({ category, content }) => !before.texts.includes(textName(category, content)),
  );
  const isStated = texts.every(({ category }) => category !== 'GENERAL');
  const files = isStated ? [] : evidence.files;
  const changes: Change[] = [
    ...files.map((file) => ({
      document: 'createDisputeFileEvidence' as const,
      input: { category: fileCategoryOf(file.kind) },
      file,
    })),
    ...texts.map((input) => ({ document: 'createDisputeTextEvidence' as const, input })),
    { document: 'finalizeDispute' },
  ];
  return change(credentials, { id: before.id, reference }, changes, isSubmitted);
};

const isAccepted = (status: string): boolean => status === 'ACCEPTED';

const accept = async (credentials: BraintreeKeys, reference: string): Promise<DisputeDone> => {
  const before = await readResponse(credentials, reference);
  if (!('status' in before)) return before;
  if (isAccepted(before.status)) return 'done';
  return change(credentials, { id: before.id, reference }, [{ document: 'acceptDispute' }], isAccepted);
};

export const braintreeDisputesOf: DisputesOf = ({ open }) => braintreeDisputes(open('braintree'));
