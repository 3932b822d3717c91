import { iso, nowMilliseconds } from '#core/kernel/clock.ts';
import { hmacSha256 } from '#core/kernel/crypto.ts';
import { answerDisputes, answerFiles, type FakeCheckoutComDispute } from './fake-checkout-com-disputes.ts';
import { type FakeReply, type FakeRequest, startFakeServer } from './fake-processor.ts';
import type { FormPart } from './form-parts.ts';

/**
 * Checkout.com's API as far as a connection uses it. Answers have the shapes of the examples in https://api-reference.checkout.com/ and of the
 * recorded ones in the tests of https://github.com/checkout/checkout-sdk-node.
 */

type Payment = {
  id: string;
  minor: number;
  currency: string;
  number: string;
  at: number;
  status: 'Captured' | 'Authorized' | 'Declined' | 'Voided';
  /** Money that was sent to the card. */
  isPayout?: true;
};
type Refund = { id: string; payment: string; minor: number; reference: string; at: number; approved: boolean | null };
type Workflow = { name: string; url: string; key: string };

/** A card whose refunds are declined. */
export const refundsFailAtCheckoutCom = '4000000000005126';

const newState = () => ({
  payments: new Map<string, Payment>(),
  refunds: new Map<string, Refund>(),
  disputes: new Map<string, FakeCheckoutComDispute>(),
  /** By id, those that were uploaded. */
  files: new Map<string, FormPart>(),
  /** By id, those that were made by API. Webhooks are signed by the key of the last. */
  workflows: new Map<string, Workflow>(),
  answers: new Map<string, FakeReply>(),
  isSlow: false,
});
type State = ReturnType<typeof newState>;

const approvedRefunds = ({ refunds }: State, payment: string): number =>
  [...refunds.values()].reduce((sum, one) => sum + (one.payment === payment && one.approved ? one.minor : 0), 0);

const absent: FakeReply = { status: 404, body: '' };
const refused = (code: string): FakeReply => ({
  status: 422,
  body: { request_id: '0HLUQS5FNKDTF:1', error_type: 'request_invalid', error_codes: [code] },
});

const paymentDto = (state: State, payment: Payment): object => ({
  id: payment.id,
  requested_on: iso(payment.at),
  [payment.isPayout ? 'destination' : 'source']: {
    ...{ id: 'src_yiorsxzfwy4uzkl5excqum4r6m', type: 'card', scheme: 'Visa', last4: payment.number.slice(-4) },
    ...{ bin: payment.number.slice(0, 6), card_type: 'Credit', issuer_country: 'US' },
  },
  amount: payment.minor,
  currency: payment.currency,
  payment_type: 'Regular',
  reference: `ORD-${payment.id.slice(-4)}`,
  status: payment.status,
  approved: payment.status !== 'Declined',
  scheme_id: '650050831378549',
  balances: {
    total_authorized: payment.minor,
    total_captured: payment.status === 'Captured' ? payment.minor : 0,
    total_refunded: approvedRefunds(state, payment.id),
  },
  billing_descriptor: { name: 'SHOP*ONLINE', city: 'London' },
});

type Action = { id: string; type: string; approved?: boolean; processing?: object; auth_code?: string };

const listActions = (state: State, payment: Payment): Action[] => {
  const decided = { response_code: '10000', response_summary: 'Approved' };
  const arn = { acquirer_reference_number: '24021219099007452440793' };
  const made = { processed_on: iso(payment.at), amount: payment.minor, approved: true, ...decided };
  const refunds = [...state.refunds.values()].filter((one) => one.payment === payment.id);
  return [
    ...refunds.map((one) => ({
      ...{ id: one.id, type: 'Refund', processed_on: iso(one.at), amount: one.minor, reference: one.reference },
      ...(one.approved !== null && { approved: one.approved, response_code: one.approved ? '10000' : '20006' }),
    })),
    ...(payment.status === 'Captured' ? [{ id: 'act_capture', type: 'Capture', processing: arn, ...made }] : []),
    { id: 'act_authorization', type: 'Authorization', auth_code: '643381', ...made },
  ];
};

const toStatus = ({ approved }: Action): string => {
  if (approved === undefined) return 'Pending';
  return approved ? 'Approved' : 'Declined';
};

/** A payment as searches show it: https://github.com/checkout/checkout-sdk-node/blob/master/test/payments/searchPayment.js */
const foundDto = (state: State, payment: Payment): object => ({
  ...paymentDto(state, payment),
  status: payment.status.toLowerCase(),
  actions: listActions(state, payment).map(({ approved, ...action }) => ({
    ...action,
    status: toStatus(approved === undefined ? action : { ...action, approved }),
  })),
});

/** Reads `name:'text' AND amount:number`, and `amount:>=0`. */
const search = (state: State, sent: { query: string; limit: number; from?: string; to?: string }): FakeReply => {
  if (sent.query === '' || sent.limit > 1000) return refused('request_invalid');
  const terms = new Map(
    sent.query
      .split(' AND ')
      .filter((term) => term !== 'amount:>=0')
      .map((term): [string, string] => {
        const [, name = '', quoted, number] = /^(\w+):(?:'([^']*)'|(\d+))$/.exec(term) ?? [];
        return [name, quoted ?? number ?? ''];
      }),
  );
  const known = ['id', 'last4', 'amount', 'currency', 'bin', 'reference'];
  if ([...terms.keys()].some((name) => !known.includes(name))) return refused('query_invalid');
  const fits = (one: Payment): boolean =>
    (terms.get('id') ?? one.id) === one.id &&
    (terms.get('last4') ?? one.number.slice(-4)) === one.number.slice(-4) &&
    (terms.get('amount') ?? String(one.minor)) === String(one.minor) &&
    (terms.get('currency') ?? one.currency) === one.currency &&
    one.at >= Date.parse(sent.from ?? '2000-01-01') &&
    one.at <= Date.parse(sent.to ?? '2100-01-01');
  const found = [...state.payments.values()].filter(fits);
  const next = { href: 'https://12345678.api.checkout.com/payments/search/nGd7?token=MTc0' };
  return {
    status: 200,
    body: {
      data: found.slice(0, sent.limit).map((one) => foundDto(state, one)),
      _links: { ...(found.length > sent.limit && { next }) },
    },
  };
};

const refund = (state: State, payment: Payment, sent: { amount: number; reference?: string }): FakeReply => {
  if (payment.status !== 'Captured') return refused('payment_not_captured');
  if (sent.amount > payment.minor - approvedRefunds(state, payment.id)) return refused('refund_amount_exceeds_balance');
  if (payment.currency === 'CLP' && sent.amount % 100 !== 0) return refused('amount_invalid');
  const id = `act_refund${state.refunds.size + 1}`;
  const approved = state.isSlow ? null : payment.number !== refundsFailAtCheckoutCom;
  const { amount: minor, reference = '' } = sent;
  state.refunds.set(id, { id, payment: payment.id, minor, reference, at: nowMilliseconds(), approved });
  return { status: 202, body: { action_id: id, reference, _links: {} } };
};

/** A key is kept if its request was accepted: https://www.checkout.com/docs/payments/manage-payments/idempotency */
const onceBy = (state: State, { headers, path }: FakeRequest, act: () => FakeReply): FakeReply => {
  const key = `${path} ${headers['cko-idempotency-key']}`;
  const reply = state.answers.get(key) ?? act();
  if (reply.status === 202) state.answers.set(key, reply);
  return reply;
};

type Sent = {
  name: string;
  conditions: object[];
  actions: [{ url: string; signature: { method: string; key: string } }];
};

/** https://checkout.com/docs/developer-resources/webhooks/manage-webhooks */
const answerWorkflows = ({ workflows }: State, { method, path, body }: FakeRequest): FakeReply => {
  const id = path.split('/')[2] ?? '';
  if (method === 'DELETE') return workflows.delete(id) ? { status: 204, body: '' } : absent;
  if (method === 'GET') {
    const data = [...workflows].map(([one, { name }]) => ({ id: one, name, active: true, _links: {} }));
    return { status: 200, body: { data } };
  }
  const { name, conditions, actions }: Sent = JSON.parse(body);
  const [{ url, signature }] = actions;
  if (conditions.length === 0 || signature.method !== 'HMACSHA256') return refused('workflow_invalid');
  const made = `wf_${String(workflows.size + 1).padStart(26, 'b')}`;
  workflows.set(made, { name, url, key: signature.key });
  return { status: 201, body: { id: made, _links: {} } };
};

const answerIn = (state: State, request: FakeRequest): FakeReply => {
  const { method, path, body } = request;
  if (method === 'POST' && path === '/payments/search') return search(state, JSON.parse(body));
  if (path.startsWith('/workflows')) return answerWorkflows(state, request);
  if (path === '/files') return answerFiles(state, request);
  if (path.startsWith('/disputes')) return answerDisputes(state, request);
  const [, id = '', of = ''] = /^\/payments\/(\w+)(?:\/(actions|refunds))?$/.exec(path) ?? [];
  const payment = state.payments.get(id);
  if (!payment) return absent;
  if (method === 'POST') return onceBy(state, request, () => refund(state, payment, JSON.parse(body)));
  return { status: 200, body: of === 'actions' ? listActions(state, payment) : paymentDto(state, payment) };
};

const secretKey = 'sk_sbox_aaaaaaaaaaaaaaaaaaaaaaaaaa2';
const readOnlyKey = 'sk_sbox_aaaaaaaaaaaaaaaaaaaaaaaaaa3';
const webhookKey = '8V8x0dLK%AyD*DNS8JJr';

export const startFakeCheckoutCom = async () => {
  const state = newState();
  const server = await startFakeServer({
    vendor: 'checkout-com',
    answer: (request) => {
      const key = String(request.headers.authorization).replace('Bearer ', '');
      if (key !== secretKey && key !== readOnlyKey) return { status: 401, body: '' };
      if (key === readOnlyKey && /refunds$|workflows|files$|(?:evidence|accept)$/.test(request.path))
        return { status: 403, body: '' };
      return answerIn(state, request);
    },
    failure: (status) => ({ request_id: '1', error_type: `status_${status}` }),
  });
  let count = 0;
  const next = (kind: string): string => {
    count += 1;
    return `${kind}_${String(count).padStart(26, 'a')}`;
  };
  return {
    ...server,
    ...state,
    ...{ secretKey, readOnlyKey, webhookKey },
    /** Leaves the next refunds undecided, or decides those that are. */
    setSlow: (isSlow: boolean) => {
      state.isSlow = isSlow;
      for (const one of state.refunds.values()) one.approved ??= true;
    },
    payment: ({ minor, ...change }: Partial<Payment> & { minor: number }): Payment => {
      const payment: Payment = {
        ...{ id: next('pay'), minor, currency: 'USD', number: '4111111111111111' },
        ...{ at: nowMilliseconds(), status: 'Captured', ...change },
      };
      state.payments.set(payment.id, payment);
      return payment;
    },
    refundByHand: (payment: string, minor: number) => {
      const id = next('act');
      state.refunds.set(id, { id, payment, minor, reference: '', at: nowMilliseconds(), approved: true });
    },
    dispute: (payment: string, status = 'evidence_required') => {
      const dispute: FakeCheckoutComDispute = {
        id: next('dsp'),
        payment,
        status,
        at: nowMilliseconds(),
        evidence: {},
        submitted: null,
      };
      state.disputes.set(dispute.id, dispute);
      return dispute;
    },
    webhook: (type: string, data: object) => {
      const rawBody = JSON.stringify({ id: next('evt'), type, version: '1.0.29', data });
      return {
        rawBody,
        headers: { 'cko-signature': hmacSha256([...state.workflows.values()].at(-1)?.key ?? webhookKey, rawBody) },
      };
    },
  };
};

export type FakeCheckoutCom = Awaited<ReturnType<typeof startFakeCheckoutCom>>;
