import type { FakeReply, FakeRequest } from './fake-processor.ts';
import { type FormPart, formPartsOf } from './form-parts.ts';

/**
 * The merchant's response to a dispute at PayPal: which actions the details allow, and what these do. Names and limits are those of
 * https://github.com/paypal/paypal-rest-api-specifications/blob/main/openapi/customer_disputes_v1.json.
 */

export type PayPalPiece = {
  evidence_type: string;
  source?: string;
  notes?: string;
  documents?: { name: string }[];
  evidence_info?: {
    tracking_info?: { carrier_name?: string; carrier_name_other?: string; tracking_number?: string }[];
  };
  dispute_life_cycle_stage?: string;
};

export type FakePayPalDispute = {
  id: string;
  capture: string;
  minor: number;
  currency: string;
  stage: string;
  status: string;
  outcome: string;
  at: number;
  evidences: PayPalPiece[];
  /** The files that were sent. */
  files: Omit<FormPart, 'name'>[];
  /** How the buyer is refunded when the merchant accepts the claim; the documentation names the types. */
  acceptedAs: string;
};

const isWaiting = ({ status }: FakePayPalDispute): boolean => status === 'WAITING_FOR_SELLER_RESPONSE';

export const responseDto = (dispute: FakePayPalDispute): object => {
  const href = `https://api-m.paypal.com/v1/customer/disputes/${dispute.id}`;
  const actions = isWaiting(dispute) ? ['accept-claim', 'provide-evidence'] : [];
  return {
    ...(dispute.evidences.length > 0 && { evidences: dispute.evidences }),
    links: [
      { href, rel: 'self', method: 'GET' },
      ...actions.map((name) => ({ href: `${href}/${name}`, rel: name.replace('-', '_'), method: 'POST' })),
    ],
  };
};

const types = ['application/pdf', 'image/png', 'image/jpeg', 'image/gif'];
const evidenceTypes = [
  ...['PROOF_OF_FULFILLMENT', 'PROOF_OF_DELIVERY_SIGNATURE', 'PROOF_OF_RECEIPT_COPY', 'RETURN_POLICY', 'OTHER'],
  ...['ADDITIONAL_PROOF_OF_SHIPMENT', 'PROOF_FOR_SOFTWARE_OR_SERVICE_DELIVERED'],
];

const isTracked = ({ evidence_info: info }: PayPalPiece): boolean =>
  (info?.tracking_info ?? []).some(
    ({ carrier_name: carrier, carrier_name_other: other, tracking_number: number }) =>
      number && /^[0-9A-Z_]+$/.test(carrier ?? '') && (carrier !== 'OTHER' || other),
  );

const isValid = (piece: PayPalPiece, files: readonly FormPart[]): boolean =>
  evidenceTypes.includes(piece.evidence_type) &&
  (piece.evidence_type !== 'PROOF_OF_FULFILLMENT' || isTracked(piece)) &&
  (piece.notes === undefined || (piece.notes.length > 0 && piece.notes.length <= 2000)) &&
  (piece.documents ?? []).every(
    ({ name }) => /^[A-Za-z0-9-_,\s]+[.][A-Za-z]+$/.test(name) && files.some(({ file }) => file === name),
  );

const messages: Readonly<Record<number, string>> = {
  401: 'Authentication failed due to missing authorization header, or invalid authentication credentials.',
  403: 'Authorization failed due to insufficient permissions.',
  404: 'The specified resource does not exist.',
  422: 'The requested action could not be performed, semantically incorrect, or failed business validation.',
};

/** An error in PayPal's words. */
export const payPalProblem = (status: number, name: string, issue?: string): FakeReply => {
  const message = messages[status] ?? 'Request is not well-formed, syntactically incorrect, or violates schema.';
  return { status, body: { name, message, debug_id: 'b1d1f06c7246c', ...(issue && { details: [{ issue }] }) } };
};
const problem = payPalProblem;

const done = ({ id }: FakePayPalDispute): FakeReply => ({
  status: 200,
  body: { links: [{ rel: 'self', method: 'GET', href: `https://api-m.paypal.com/v1/customer/disputes/${id}` }] },
});

const provideEvidence = (dispute: FakePayPalDispute, request: FakeRequest): FakeReply => {
  const [input, ...files] = formPartsOf(request) ?? [];
  if (input?.name !== 'input' || input.type !== 'application/json') return problem(400, 'INVALID_REQUEST', 'NO_INPUT');
  const { evidences } = JSON.parse(input.content) as { evidences: PayPalPiece[] };
  if (!evidences.every((piece) => isValid(piece, files)) || !files.every(({ type }) => types.includes(type)))
    return problem(400, 'INVALID_REQUEST', 'INVALID_EVIDENCE');
  const submitted = { source: 'SUBMITTED_BY_SELLER', dispute_life_cycle_stage: dispute.stage };
  dispute.evidences.push(...evidences.map((piece) => ({ ...piece, ...submitted })));
  dispute.files.push(...files.map(({ name: _, ...file }) => file));
  dispute.status = 'UNDER_REVIEW';
  return done(dispute);
};

const acceptClaim = (dispute: FakePayPalDispute, { body }: FakeRequest): FakeReply => {
  const { note = '', accept_claim_type: type = '' } = JSON.parse(body) as { note?: string; accept_claim_type?: string };
  if (note === '' || !['REFUND', 'PARTIAL_REFUND'].includes(type))
    return problem(400, 'INVALID_REQUEST', 'INVALID_CLAIM');
  Object.assign(dispute, { status: 'RESOLVED', outcome: 'RESOLVED_BUYER_FAVOUR', acceptedAs: type });
  return done(dispute);
};

/** Does what a request asks for; undefined if it is no request of this kind. */
export const answerPayPalResponse = (
  disputes: ReadonlyMap<string, FakePayPalDispute>,
  request: FakeRequest,
): FakeReply | undefined => {
  const [, id = '', action] =
    /^\/v1\/customer\/disputes\/([\w-]+)\/(provide-evidence|accept-claim)$/.exec(request.path) ?? [];
  if (request.method !== 'POST' || action === undefined) return undefined;
  const dispute = disputes.get(id);
  if (!dispute) return problem(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID');
  if (!isWaiting(dispute)) return problem(422, 'UNPROCESSABLE_ENTITY', 'ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE');
  return (action === 'provide-evidence' ? provideEvidence : acceptClaim)(dispute, request);
};
