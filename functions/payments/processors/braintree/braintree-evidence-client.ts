import * as v from 'valibot';
import { findClaimHolder, tableClaims } from '../claims/claims-store.ts';
import { type DisputeDone, type DisputeEvidence, unreadableDispute } from '../ports/dispute.ts';
import type { KeylessFailure } from '../ports/keyless.ts';
import { type BraintreePiece, braintreePieces, nameOfText } from './braintree-evidence.ts';
import { askBraintree, type BraintreeKeys, globalId } from './braintree-exchange-client.ts';
import type { DocumentName } from './braintree-requests.ts';

/** Submits evidence against a dispute at Braintree, and accepts disputes. */

/** The content of each piece of evidence that was added here, by its id: Braintree shows the content of texts only. */
export type BraintreeMemory = {
  find(id: string): Promise<string | undefined>;
  keep(id: string, name: string): Promise<unknown>;
};

/** The memory in the table. `scope`: the account's. */
export const braintreeMemory = (scope: string): BraintreeMemory => ({
  find: (id) => findClaimHolder(scope, `evidence:${id}`),
  keep: (id, name) => tableClaims(scope).take(`evidence:${id}`, name),
});

type Place = { credentials: BraintreeKeys; reference: string };
type Failure = Exclude<DisputeDone, 'done'>;

const text = v.nullish(v.string());
const Response = v.object({
  status: v.string(),
  statusHistory: v.nullish(v.array(v.object({ status: text })), []),
  evidence: v.nullish(v.array(v.object({ id: v.string(), category: text, content: text })), []),
});
type Sent = { id: string; name: string | undefined };
type Response = { id: string; status: string; isSubmitted: boolean; evidence: readonly Sent[] };

const toFailure = ({ outcome, detail = 'braintree' }: KeylessFailure): Failure =>
  outcome === 'EXC' ? { refused: detail } : { unknown: detail };

const submittedStatuses: readonly string[] = ['DISPUTED', 'UNDER_REVIEW'];

/**
 * The state of the response to a dispute. One that is over was contested only if it passed through a status that says so. Assumed of one that is
 * open again: what answered it before does not answer it now.
 */
const readResponse = async ({ credentials, reference }: Place): Promise<Response | Failure> => {
  const global = await globalId(credentials, reference, 'DISPUTE');
  if ('outcome' in global) return toFailure(global);
  const { id } = global;
  const answer = await askBraintree(credentials, { document: 'disputeEvidence', variables: { id }, kind: 'pay' });
  if ('outcome' in answer) return toFailure(answer);
  const { success, output } = v.safeParse(Response, answer.data['node']);
  if (!success) return unreadableDispute('braintree');
  const { status, statusHistory, evidence } = output;
  const statuses = [status, ...(statusHistory ?? []).map((event) => event.status ?? '')];
  return {
    ...{ id, status, isSubmitted: status !== 'OPEN' && statuses.some((one) => submittedStatuses.includes(one)) },
    evidence: (evidence ?? []).map(({ id: piece, category, content }) => ({
      id: piece,
      name: content ? nameOfText(category ?? 'GENERAL', content) : undefined,
    })),
  };
};

type Change = { document: DocumentName; input?: object; file?: BraintreePiece['file'] };

/** Changes an open dispute. Braintree has no idempotency keys, so nothing is sent twice. */
const changeDispute = ({ credentials }: Place, id: string, { document, input, file }: Change) => {
  const variables = { input: { disputeId: id, ...input } };
  return askBraintree(credentials, { document, variables, kind: 'refund', ...(file && { file }) });
};

/** Ends the dispute. If that fails, the dispute is read again, because an answer may have been lost. */
const end = async (
  place: Place,
  id: string,
  document: 'acceptDispute' | 'finalizeDispute',
  isDone: (response: Response) => boolean,
): Promise<DisputeDone> => {
  const answer = await changeDispute(place, id, { document });
  if (!('outcome' in answer)) return 'done';
  const after = await readResponse(place);
  return 'status' in after && isDone(after) ? 'done' : toFailure(answer);
};

const Made = v.object({ evidence: v.object({ id: v.string() }) });

/** Adds a piece of evidence and returns its id. `known`: the ids of all others, by which a piece whose answer was lost is found. */
const add = async (
  place: Place,
  id: string,
  { document, input, file }: BraintreePiece,
  known: readonly string[],
): Promise<{ made: string } | Failure> => {
  const answer = await changeDispute(place, id, { document, input, ...(file && { file }) });
  if (!('outcome' in answer)) {
    const { success, output } = v.safeParse(Made, answer.data[document]);
    return success ? { made: output.evidence.id } : { unknown: 'braintree added evidence without an id' };
  }
  const after = answer.outcome === 'UNKNOWN' ? await readResponse(place) : undefined;
  const added = after && 'evidence' in after ? after.evidence.find((piece) => !known.includes(piece.id)) : undefined;
  return added ? { made: added.id } : toFailure(answer);
};

/**
 * Brings the evidence of an open dispute in line with the wanted pieces: removes those of an earlier try that changed since, and adds the
 * missing ones. Evidence that a person added stays.
 */
const matchEvidence = async (
  place: Place & { memory: BraintreeMemory },
  before: Response,
  wanted: readonly BraintreePiece[],
): Promise<Failure | undefined> => {
  const known = before.evidence.map(({ id }) => id);
  const present: string[] = [];
  for (const piece of before.evidence) {
    const own = await place.memory.find(piece.id);
    const name = own ?? piece.name;
    if (own === undefined || wanted.some((one) => one.name === own))
      present.push(...(name === undefined ? [] : [name]));
    else {
      const input = { evidenceId: piece.id };
      const answer = await changeDispute(place, before.id, { document: 'deleteDisputeEvidence', input });
      if ('outcome' in answer) return toFailure(answer);
    }
  }
  for (const piece of wanted.filter(({ name }) => !present.includes(name))) {
    const added = await add(place, before.id, piece, known);
    if (!('made' in added)) return added;
    known.push(added.made);
    await place.memory.keep(added.made, piece.name);
  }
  return undefined;
};

/**
 * Adds the evidence and finalizes the dispute, which sends everything to the issuer. A file may be attached twice by two simultaneous calls,
 * or if the process ends between the answer about it and its record.
 */
export const submitToBraintree = async (
  place: Place & { memory: BraintreeMemory },
  evidence: DisputeEvidence,
): Promise<DisputeDone> => {
  const pieces = braintreePieces(evidence);
  if ('refused' in pieces) return pieces;
  const before = await readResponse(place);
  if (!('status' in before)) return before;
  if (before.isSubmitted) return 'done';
  if (before.status !== 'OPEN') return { refused: 'braintree accepts no evidence for this dispute now' };
  const failure = await matchEvidence(place, before, pieces);
  return failure ?? end(place, before.id, 'finalizeDispute', ({ isSubmitted }) => isSubmitted);
};

const isAccepted = ({ status }: Pick<Response, 'status'>): boolean => status === 'ACCEPTED';

export const acceptAtBraintree = async (place: Place): Promise<DisputeDone> => {
  const before = await readResponse(place);
  if (!('status' in before)) return before;
  return isAccepted(before) ? 'done' : end(place, before.id, 'acceptDispute', isAccepted);
};
