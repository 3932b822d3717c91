import { Webhook } from 'standardwebhooks';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import { type FakeReply, type FakeRequest, type FakeServer, startFakeServer } from './fake-processor.ts';

/** A merchant's own service, as docs/guides/connect-your-service.md describes it, which finds and refunds charges. */

export type ServiceCharge = {
  reference: string;
  minor: number;
  captured: number;
  refunded: number;
  number: string;
  at: number;
  isChargedBack: boolean;
  subscription: string | null;
  orderReference: string;
  arn: string | null;
  caid: string | null;
  descriptor: string | null;
  refundedAt: number | null;
  /** What became of its order: `held` or `shipped`; null: it waits for shipment. */
  fate: 'held' | 'shipped' | null;
  /** Fields that it sends in another way. */
  sent: object;
};

/** The service without a server: what it has, and what it answers. */
export type MerchantService = {
  secret: string;
  /** A secret that may search only. */
  searchOnlySecret: string;
  charges: Map<string, ServiceCharge>;
  subscriptions: Set<string>;
  /** The refunds that were made, by idempotency key. */
  refunds: Map<string, FakeReply>;
  charge(change: Partial<ServiceCharge> & { minor: number }): ServiceCharge;
  /** Disputes as it sends them, by their reference; null: it does not offer the call. `fails`: with a status, after some calls. */
  disputes: {
    list: Map<string, Record<string, unknown>> | null;
    fails?: { after: number; status: number } | undefined;
  };
  /** A webhook that names a dispute, signed with a secret. */
  webhook(dispute: string, secret?: string): { headers: Record<string, string>; rawBody: string };
};

export type FakeMerchantService = FakeServer & MerchantService;

const text = (minor: number): string => `${Math.trunc(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
const toCents = (amount: unknown): number => Math.round(Number(amount) * 100);

const shown = (charge: ServiceCharge): object => ({
  reference: charge.reference,
  order_reference: charge.orderReference,
  type: 'sale',
  date: new Date(charge.at).toISOString(),
  amount: text(charge.minor),
  currency: 'USD',
  card: { first6: charge.number.slice(0, 6), last4: charge.number.slice(-4), brand: 'visa' },
  auth_code: '123ABC',
  arn: charge.arn,
  caid: charge.caid,
  descriptor: charge.descriptor,
  captured: text(charge.captured),
  refunded: text(charge.refunded),
  refunded_at: charge.refundedAt === null ? null : new Date(charge.refundedAt).toISOString(),
  charged_back: charge.isChargedBack,
  charged_back_at: charge.isChargedBack ? new Date(charge.at).toISOString() : null,
  settled: true,
  subscription: charge.subscription,
  customer: { email: 'payer@shop.example' },
  ...charge.sent,
});

/** A number whose refunds fail. */
export const refundsFailAtService = '4000000000005126';

type Fields = Record<string, unknown>;
type State = Pick<FakeMerchantService, 'charges' | 'subscriptions' | 'refunds' | 'disputes'>;

const searchIn = ({ charges }: State, sent: Fields): FakeReply => {
  const card = (sent['card'] ?? {}) as { first6?: string; last4?: string };
  const isFound = (charge: ServiceCharge): boolean =>
    charge.number.endsWith(card.last4 ?? '') &&
    charge.number.startsWith(card.first6 ?? '') &&
    (sent['amount'] === null || toCents(sent['amount']) === charge.minor) &&
    charge.at >= Date.parse(String(sent['from'])) &&
    charge.at <= Date.parse(String(sent['to']));
  const { reference } = sent;
  const found = [...charges.values()].filter((one) =>
    reference === undefined ? isFound(one) : one.reference === reference,
  );
  return { status: 200, body: { charges: found.map(shown) } };
};

/** The number of charges on a page of the list. */
export const chargesPerPage = 50;

/** Lists the charges of a span, the oldest first. The cursor is the number of charges before the page. */
const listIn = ({ charges }: State, { from, to, cursor }: Fields): FakeReply => {
  const [begin, end] = [Date.parse(String(from)), Date.parse(String(to))];
  const within = [...charges.values()]
    .filter(({ at }) => at >= begin && at < end)
    .sort((one, other) => one.at - other.at);
  const start = Number(cursor ?? 0);
  const next = start + chargesPerPage;
  return {
    status: 200,
    body: {
      charges: within.slice(start, next).map(shown),
      next_cursor: next < within.length ? String(next) : null,
    },
  };
};

/** The number of disputes on a page. */
const disputesPerPage = 2;

/** One dispute by its reference, or those opened within a span, in the order in which they became known there. */
const disputesIn = ({ disputes: { list, fails } }: State, { reference, from, to, cursor }: Fields): FakeReply => {
  if (fails) {
    fails.after -= 1;
    if (fails.after < 0) return { status: fails.status, body: { error: 'not now' } };
  }
  if (list === null) return { status: 404, body: { error: 'unknown path' } };
  const one = list.get(String(reference));
  if (reference !== undefined) return { status: 200, body: { disputes: one ? [one] : [] } };
  const end = to === null ? Number.POSITIVE_INFINITY : Date.parse(String(to));
  const isWithin = (at: number) => Number.isNaN(at) || (at >= Date.parse(String(from)) && at < end);
  const within = [...list.values()].filter((dispute) => isWithin(Date.parse(String(dispute['opened_at']))));
  const [start, next] = [Number(cursor ?? 0), Number(cursor ?? 0) + disputesPerPage];
  const next_cursor = next < within.length ? String(next) : null;
  return { status: 200, body: { disputes: within.slice(start, next), next_cursor } };
};

const refundIn = ({ charges, refunds }: State, sent: Fields): FakeReply => {
  const key = String(sent['idempotency_key']);
  const earlier = refunds.get(key);
  if (earlier) return earlier;
  const charge = charges.get(String(sent['reference']));
  if (!charge) return { status: 404, body: { error: 'unknown charge' } };
  const minor = toCents(sent['amount']);
  const isRefused = minor > charge.captured - charge.refunded || charge.number === refundsFailAtService;
  if (isRefused) return { status: 200, body: { status: 'failed', failure: 'not refundable' } };
  charge.refunded += minor;
  const reply = { status: 200, body: { status: 'succeeded', refund_reference: `re_${refunds.size + 1}` } };
  refunds.set(key, reply);
  return reply;
};

const answerIn = (state: State, path: string, sent: Fields): FakeReply => {
  if (path === '/forewarn/search') return searchIn(state, sent);
  if (path === '/forewarn/charges') return listIn(state, sent);
  if (path === '/forewarn/disputes') return disputesIn(state, sent);
  if (path === '/forewarn/refund') return refundIn(state, sent);
  if (path === '/forewarn/refund-state') {
    return state.refunds.get(String(sent['idempotency_key'])) ?? { status: 404, body: { error: 'unknown refund' } };
  }
  if (path === '/forewarn/cancel-subscription') {
    state.subscriptions.delete(String(sent['subscription']));
    return { status: 200, body: {} };
  }
  if (path === '/forewarn/hold-order') {
    const charge = state.charges.get(String(sent['reference']));
    if (charge) charge.fate ??= 'held';
    return { status: 200, body: { status: charge?.fate ?? 'unknown' } };
  }
  return { status: 404, body: { error: 'unknown path' } };
};

/** Makes a service that answers under the path `/forewarn`. */
export const newMerchantService = (): MerchantService & { answer(request: FakeRequest): FakeReply } => {
  const [secret, searchOnlySecret] = ['a', 'b'].map(
    (letter) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`,
  ) as [string, string];
  const state: State = { charges: new Map(), subscriptions: new Set(), refunds: new Map(), disputes: { list: null } };
  const isSigned = ({ headers, body }: FakeRequest, key: string): boolean => {
    // The library compares with the system's time; the tests move the service's.
    const seconds = Number(headers['webhook-timestamp']);
    if (Math.abs(seconds - nowMilliseconds() / 1000) > 300) return false;
    const expected = new Webhook(key).sign(String(headers['webhook-id']), new Date(seconds * 1000), body);
    return headers['webhook-signature'] === expected;
  };
  return {
    ...state,
    secret,
    searchOnlySecret,
    answer: (request) => {
      const isReader = isSigned(request, searchOnlySecret);
      if (!isReader && !isSigned(request, secret)) return { status: 401, body: { error: 'wrong signature' } };
      if (isReader && request.path === '/forewarn/refund') return { status: 403, body: { error: 'search only' } };
      return answerIn(state, request.path, JSON.parse(request.body));
    },
    webhook: (dispute, key = secret) => {
      const [id, seconds] = [`evt_${dispute}`, Math.floor(nowMilliseconds() / 1000)];
      const rawBody = JSON.stringify({ dispute });
      const signature = new Webhook(key).sign(id, new Date(seconds * 1000), rawBody);
      const headers = { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signature };
      return { headers, rawBody };
    },
    charge: ({ minor, ...change }) => {
      const reference = `ch-${state.charges.size + 1}`;
      const charge: ServiceCharge = {
        reference,
        ...{ minor, captured: minor, refunded: 0, number: '4111111111111111', at: nowMilliseconds() },
        ...{ isChargedBack: false, fate: null, subscription: null, orderReference: `order-${reference}` },
        ...{ arn: null, caid: null, descriptor: 'SHOP*ONLINE', refundedAt: null, sent: {}, ...change },
      };
      state.charges.set(charge.reference, charge);
      return charge;
    },
  };
};

/** Starts the service under the path `/forewarn`. */
export const startFakeMerchantService = async (): Promise<FakeMerchantService> => {
  const { answer, ...service } = newMerchantService();
  const server = await startFakeServer({ answer, failure: (status) => ({ error: `status ${status}` }) });
  return { ...server, ...service, url: `${server.url}/forewarn` };
};
