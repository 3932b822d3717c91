import { nowMilliseconds } from '#core/kernel/clock.ts';
import { StripeRefused as Refused } from './fake-stripe-charges.ts';

/** The part of Stripe's stand-in for disputes: as strict as https://docs.stripe.com/api/disputes. */

type Json = Record<string, unknown>;
export type FakeDispute = Json & {
  id: string;
  object: 'dispute';
  amount: number;
  currency: string;
  status: string;
  payment_intent: string;
};
/** A file that was uploaded: https://docs.stripe.com/api/files */
export type FakeFile = { purpose: string; name: string; type: string; content: string };

type Paid = { id: string; amount: number; currency: string; latest_charge?: unknown };

/** The fields of evidence that take a file. */
const files = [
  ...['cancellation_policy', 'customer_communication', 'customer_signature', 'duplicate_charge_documentation'],
  ...['receipt', 'refund_policy', 'service_documentation', 'shipping_documentation', 'uncategorized_file'],
];
const refuse = (message: string, code = 'parameter_invalid') =>
  new Refused(400, { type: 'invalid_request_error', code, message });
/** https://docs.stripe.com/api/disputes/update; the names and lengths are those of the contract. */
const checkEvidence = (evidence: Json, uploaded: ReadonlyMap<string, FakeFile>) => {
  const { enhanced_evidence: _, ...fields } = evidence;
  for (const name of files.filter((one) => one in fields)) {
    if (!uploaded.has(String(fields[name]))) throw refuse(`No such file upload: '${fields[name]}'`, 'resource_missing');
  }
  if (Object.values(fields).join('').length > 150_000) throw refuse('The combined evidence is too long');
};

/** The fields of an upload, whose boundary is another one each time. */
export const fileIn = (form: string, contentType: string): FakeFile => {
  const [, boundary = ''] = /boundary=(\S+)/.exec(contentType) ?? [];
  const parts = form.split(`--${boundary}`).map((part) => part.replace(/^\r\n/, '').replace(/\r\n$/, ''));
  const purpose = parts.find((part) => part.includes('name="purpose"'))?.split('\r\n\r\n')[1] ?? '';
  const [head = '', ...rest] = (parts.find((part) => part.includes('name="file"')) ?? '').split('\r\n\r\n');
  const name = /filename="([^"]*)"/.exec(head)?.[1] ?? '';
  const type = /content-type: (\S+)/i.exec(head)?.[1] ?? '';
  return { purpose, name, type, content: rest.join('\r\n\r\n') };
};

const over = ['won', 'lost', 'warning_closed', 'prevented'];

export class FakeDisputes {
  readonly disputes = new Map<string, FakeDispute>();
  /** The submitted evidence, by dispute. */
  readonly evidence = new Map<string, Json>();
  readonly warnings = new Map<string, Json>();
  /** Whether the enhanced part of evidence is refused, for reasons that Stripe does not document. */
  refusesEnhanced = false;
  readonly files = new Map<string, FakeFile>();

  /** An issuer disputes a payment; answers what a webhook shows. */
  open({ id, amount, currency, latest_charge }: Paid, change: Json = {}): FakeDispute {
    const created = Math.floor(nowMilliseconds() / 1000);
    const case_type = String(change['status'] ?? '').startsWith('warning_') ? 'inquiry' : 'chargeback';
    const dispute: FakeDispute = {
      id: `dp_3Fake${String(this.disputes.size + 1).padStart(12, '0')}`,
      object: 'dispute',
      ...{ amount, currency, status: 'needs_response', reason: 'fraudulent', created, payment_intent: id },
      charge: (latest_charge as { id: string } | null)?.id ?? 'ch_unknown',
      evidence_details: { due_by: created + 7 * 86_400, has_evidence: false, submission_count: 0 },
      payment_method_details: { type: 'card', card: { brand: 'visa', case_type, network_reason_code: '10.4' } },
      ...change,
    };
    this.disputes.set(dispute.id, dispute);
    return dispute;
  }

  statusesOf(charge: string): readonly string[] {
    return [...this.disputes.values()].filter((one) => one['charge'] === charge).map(({ status }) => status);
  }

  /** An issuer warns of fraud with a payment; answers what a webhook shows, in which the charge is a name alone. */
  warn({ id, amount, currency, latest_charge }: Paid, change: Json = {}): Json & { id: string } {
    const created = Math.floor(nowMilliseconds() / 1000);
    const charge = {
      id: (latest_charge as { id: string } | null)?.id ?? id.replace(/^pi_/, 'ch_'),
      ...{ object: 'charge', amount, currency, created, calculated_statement_descriptor: null, payment_intent: id },
      payment_method_details: { type: 'card', card: { last4: '4242', authorization_code: '654321' } },
      ...change,
    };
    const warning = {
      id: `issfr_3Fake${String(this.warnings.size + 1).padStart(12, '0')}`,
      ...{ object: 'radar.early_fraud_warning', actionable: true, created, fraud_type: 'made_with_stolen_card' },
      ...{ livemode: false, payment_intent: id, charge },
    };
    this.warnings.set(warning.id, warning);
    return { ...warning, charge: charge.id };
  }

  /** Takes an upload, a multipart form of the purpose and the file. */
  upload(form: string, contentType: string): Json {
    const file = fileIn(form, contentType);
    if (file.purpose !== 'dispute_evidence') throw refuse(`Invalid purpose: ${file.purpose}`);
    if (!/^(application\/pdf|image\/(png|jpeg))$/.test(file.type)) throw refuse(`Invalid file type: ${file.type}`);
    const id = `file_1Fake${String(this.files.size + 1).padStart(12, '0')}`;
    this.files.set(id, file);
    return {
      id,
      object: 'file',
      purpose: file.purpose,
      filename: file.name,
      size: file.content.length,
      created: Math.floor(nowMilliseconds() / 1000),
    };
  }

  /** Newest first, as Stripe lists. */
  #list(query: URLSearchParams): Json {
    const from = Number(query.get('created[gte]') ?? 0);
    const [to, charge] = [Number(query.get('created[lt]') ?? Number.POSITIVE_INFINITY), query.get('charge')];
    const isAsked = (one: FakeDispute) => charge === null || one['charge'] === charge;
    const within = ({ created }: FakeDispute) => Number(created) >= from && Number(created) < to;
    const all = [...this.disputes.values()]
      .filter((one) => within(one) && isAsked(one))
      .reverse()
      .sort((left, right) => Number(right['created']) - Number(left['created']));
    const after = query.get('starting_after');
    const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const limit = Number(query.get('limit') ?? 10);
    const data = all.slice(start, start + limit).map((one) => ({ ...one }));
    return { object: 'list', url: '/v1/disputes', data, has_more: start + limit < all.length };
  }

  #warning(id: string, query: URLSearchParams): Json {
    const warning = this.warnings.get(id);
    const message = `No such early_fraud_warning: '${id}'`;
    if (!warning) throw new Refused(404, { type: 'invalid_request_error', code: 'resource_missing', message });
    const isExpanded = query.getAll('expand[]').includes('charge');
    return isExpanded ? { ...warning } : { ...warning, charge: (warning['charge'] as Json)['id'] };
  }

  read(path: string, query: URLSearchParams): Json | undefined {
    const [, warning] = /^\/v1\/radar\/early_fraud_warnings\/(\w+)$/.exec(path) ?? [];
    if (warning !== undefined) return this.#warning(warning, query);
    if (path === '/v1/disputes') return this.#list(query);
    const [, id] = /^\/v1\/disputes\/(\w+)$/.exec(path) ?? [];
    return id === undefined ? undefined : { ...this.#dispute(id) };
  }

  change(path: string, form: Json): Json | undefined {
    const [, id = '', verb] = /^\/v1\/disputes\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
    if (id !== '' && verb === undefined) return this.#update(this.#dispute(id), form);
    if (id === '' || verb !== 'close') return undefined;
    if (Object.keys(form).length > 0)
      throw new Refused(400, { type: 'invalid_request_error', code: 'parameter_unknown' });
    const dispute = this.#dispute(id);
    if (over.includes(dispute.status)) {
      const message = 'This dispute is already closed.';
      throw new Refused(400, { type: 'invalid_request_error', message });
    }
    dispute.status = 'lost';
    return { ...dispute };
  }

  #update(dispute: FakeDispute, form: Json): Json {
    if (over.includes(dispute.status)) throw refuse('This dispute is already closed.');
    const details = dispute['evidence_details'] as Json;
    // Assumed: an inquiry's evidence does not answer the chargeback that it becomes, whose status says that it needs a response.
    const isNeeded = dispute.status.endsWith('needs_response');
    if (Number(details['submission_count']) > 0 && !isNeeded)
      throw refuse('Evidence has been submitted for this dispute already.');
    const evidence = (form['evidence'] ?? {}) as Json;
    checkEvidence(evidence, this.files);
    if (this.refusesEnhanced && 'enhanced_evidence' in evidence) throw refuse('The enhanced evidence is refused');
    this.evidence.set(dispute.id, evidence);
    const isSubmitted = form['submit'] !== 'false';
    dispute['evidence_details'] = { ...details, has_evidence: true, submission_count: isSubmitted ? 1 : 0 };
    if (isSubmitted) dispute.status = dispute.status.startsWith('warning_') ? 'warning_under_review' : 'under_review';
    return { ...dispute };
  }

  #dispute(id: string): FakeDispute {
    const dispute = this.disputes.get(id);
    if (dispute) return dispute;
    const message = `No such dispute: '${id}'`;
    throw new Refused(404, { type: 'invalid_request_error', code: 'resource_missing', message });
  }
}
