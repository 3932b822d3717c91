import { iso, milliseconds } from '#core/kernel/clock.ts';
import type { FakeReply, FakeRequest } from './fake-processor.ts';
import { type FormPart, formPartsOf } from './form-parts.ts';

/**
 * The disputes and files of Checkout.com's stand-in.
 * @see https://api-reference.checkout.com/#tag/Disputes and https://www.checkout.com/docs/risk-management/disputes/file-uploader
 */

export type FakeCheckoutComDispute = {
  id: string;
  payment: string;
  status: string;
  at: number;
  /** Why it was resolved; lists do not say that. */
  resolvedReason?: string;
  /** The evidence that was saved. */
  evidence: Readonly<Record<string, string>>;
  /** The evidence that was submitted; null: none was. */
  submitted: Readonly<Record<string, string>> | null;
};

type State = { disputes: Map<string, FakeCheckoutComDispute>; files: Map<string, FormPart> };

const absent: FakeReply = { status: 404, body: '' };
const none: FakeReply = { status: 204, body: '' };
const refused = (status: number, code: string): FakeReply => ({
  status,
  body: { request_id: '0HLUQS5FNKDTF:1', error_type: 'request_invalid', error_codes: [code] },
});

const listDisputes = ({ disputes }: State, query: URLSearchParams): FakeReply => {
  const [limit, skip] = [Number(query.get('limit') ?? 50), Number(query.get('skip') ?? 0)];
  if (limit > 250) return refused(422, 'paging_limit_invalid');
  const [of, from] = [query.get('payment_id'), Date.parse(query.get('from') ?? '2000-01-01')];
  const to = Date.parse(query.get('to') ?? '2100-01-01');
  const found = [...disputes.values()].filter(
    (one) => (of === null || one.payment === of) && one.at >= from && one.at <= to,
  );
  const data = found.slice(skip, skip + limit).map((one) => ({
    ...{ id: one.id, category: 'fraudulent', status: one.status, amount: 1040, currency: 'GBP' },
    ...{ payment_id: one.payment, payment_method: 'VISA', received_on: iso(one.at), last_update: iso(one.at) },
  }));
  return { status: 200, body: { limit, skip, total_count: found.length, data } };
};

const disputeDto = (one: FakeCheckoutComDispute): object => ({
  ...{ id: one.id, category: 'fraudulent', reason_code: '10.4', status: one.status, amount: 1040, currency: 'GBP' },
  ...(one.resolvedReason !== undefined && { resolved_reason: one.resolvedReason }),
  ...{ received_on: iso(one.at), evidence_required_by: iso(one.at + 7 * milliseconds.day) },
  payment: { id: one.payment, amount: 1040, currency: 'GBP', method: 'VISA', arn: '465760598106' },
});

const fileFields = [
  ...['proof_of_delivery_or_service', 'invoice_or_receipt', 'invoice_showing_distinct_transactions'],
  ...['customer_communication', 'refund_or_cancellation_policy', 'recurring_transaction_agreement'],
  ...['additional_evidence', 'proof_of_delivery_or_service_date'],
];

const isKnownField = ({ files }: State, [name, value]: [string, string]): boolean =>
  fileFields.some((field) => name === `${field}_file`)
    ? files.has(value)
    : fileFields.some((field) => name === `${field}_text`) && value.length <= 500;

const provide = (state: State, dispute: FakeCheckoutComDispute, sent: Record<string, string>): FakeReply => {
  if (!Object.entries(sent).every((field) => isKnownField(state, field))) return refused(422, 'evidence_invalid');
  dispute.evidence = { ...dispute.evidence, ...sent };
  return none;
};

const submit = (dispute: FakeCheckoutComDispute): FakeReply => {
  if (Object.keys(dispute.evidence).length === 0) return refused(422, 'evidence_missing');
  dispute.submitted = dispute.evidence;
  dispute.status = 'evidence_under_review';
  return none;
};

const change = (state: State, dispute: FakeCheckoutComDispute, { method, path, body }: FakeRequest): FakeReply => {
  if (dispute.status !== 'evidence_required') return refused(403, 'dispute_status_invalid');
  if (method === 'PUT') return provide(state, dispute, JSON.parse(body));
  if (path.endsWith('/evidence')) return submit(dispute);
  dispute.status = 'accepted';
  return none;
};

export const answerDisputes = (state: State, request: FakeRequest): FakeReply => {
  const { method, path, query } = request;
  if (path === '/disputes') return listDisputes(state, query);
  const [, id = '', of = ''] = /^\/disputes\/(\w+)(?:\/(evidence|evidence\/submitted|accept))?$/.exec(path) ?? [];
  const dispute = state.disputes.get(id);
  if (!dispute) return absent;
  if (method !== 'GET') return change(state, dispute, request);
  if (of === 'evidence/submitted')
    return dispute.submitted ? { status: 200, body: { file_id: 'file_compiled' } } : absent;
  return { status: 200, body: of === 'evidence' ? dispute.evidence : disputeDto(dispute) };
};

export const answerFiles = ({ files }: State, request: FakeRequest): FakeReply => {
  const parts = formPartsOf(request) ?? [];
  const [purpose, file] = [parts.find(({ name }) => name === 'purpose'), parts.find(({ name }) => name === 'file')];
  if (purpose?.content !== 'dispute_evidence' || !file) return refused(422, 'purpose_invalid');
  if (!['application/pdf', 'image/png', 'image/jpeg'].includes(file.type)) return refused(422, 'file_type_invalid');
  const id = `file_${String(files.size + 1).padStart(26, 'a')}`;
  files.set(id, file);
  return { status: 200, body: { id, _links: {} } };
};
