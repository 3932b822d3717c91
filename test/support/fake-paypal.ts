import { iso, milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { hmacSha256 } from '#core/kernel/crypto.ts';
import {
  answerPayPalResponse,
  type FakePayPalDispute,
  payPalProblem as problem,
  responseDto,
} from './fake-paypal-disputes.ts';
import { type FakeReply, type FakeRequest, startFakeServer } from './fake-processor.ts';

/**
 * PayPal's REST API as far as a connection uses it. Shapes, statuses and error names are those of the OpenAPI documents in
 * https://github.com/paypal/paypal-rest-api-specifications.
 */

type Capture = {
  id: string;
  order: string;
  minor: number;
  currency: string;
  number: string;
  at: number;
  /** An authorisation that was not captured. */
  isAuthorization: boolean;
  /** Paid from a PayPal balance: the order names no card. */
  isWallet: boolean;
  /** The subscription that charged it, `I-…`; empty: none did. */
  subscription: string;
};

type Refund = {
  id: string;
  capture: string;
  minor: number;
  currency: string;
  status: string;
  custom: string;
  at: number;
};

/** A card whose refunds fail. */
export const refundsFailAtPayPal = '4000000000005126';

/** PayPal writes yen, forints and Taiwan dollars without decimals. */
const wholeOnly = ['JPY', 'HUF', 'TWD'];
const shownAmount = (minor: number, currency: string): { currency_code: string; value: string } => ({
  currency_code: currency,
  value:
    currency === 'JPY' ? String(minor) : wholeOnly.includes(currency) ? String(minor / 100) : (minor / 100).toFixed(2),
});
const toMinor = (value: string, currency: string): number => Math.round(Number(value) * (currency === 'JPY' ? 1 : 100));

const newState = () => ({
  captures: new Map<string, Capture>(),
  /** Active subscriptions. */
  subscriptions: new Set<string>(),
  refunds: new Map<string, Refund>(),
  disputes: new Map<string, FakePayPalDispute>(),
  answers: new Map<string, FakeReply>(),
  /** The addresses of webhooks that were registered by API. */
  webhooks: [] as string[],
});
type State = ReturnType<typeof newState>;

const refundsOn = ({ refunds }: State, capture: string): Refund[] =>
  [...refunds.values()].filter((one) => one.capture === capture);
const sumRefunded = (state: State, capture: string): number =>
  refundsOn(state, capture)
    .filter(({ status }) => status !== 'FAILED')
    .reduce((sum, { minor }) => sum + minor, 0);

const absent = problem(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID');

const selfLink = (path: string) => [{ href: `https://api-m.paypal.com${path}`, rel: 'self', method: 'GET' }];

const refundDto = (refund: Refund): object => ({
  id: refund.id,
  status: refund.status,
  amount: shownAmount(refund.minor, refund.currency),
  ...(refund.custom && { custom_id: refund.custom }),
  create_time: iso(refund.at),
  links: [
    { href: `https://api-m.paypal.com/v2/payments/refunds/${refund.id}`, rel: 'self', method: 'GET' },
    { href: `https://api-m.paypal.com/v2/payments/captures/${refund.capture}`, rel: 'up', method: 'GET' },
  ],
});

const paymentDto = (state: State, capture: Capture): object => {
  const refunded = sumRefunded(state, capture.id);
  const status = refunded === 0 ? 'COMPLETED' : refunded >= capture.minor ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  return {
    id: capture.id,
    status: capture.isAuthorization ? 'CREATED' : status,
    amount: shownAmount(capture.minor, capture.currency),
    create_time: iso(capture.at),
    supplementary_data: { related_ids: { order_id: capture.order } },
    network_transaction_reference: { id: '123456789012345', acquirer_reference_number: '24000000000000000000001' },
  };
};

const orderDto = (state: State, capture: Capture): object => ({
  id: capture.order,
  status: 'COMPLETED',
  payment_source: capture.isWallet
    ? { paypal: { email_address: 'payer@shop.example' } }
    : {
        card: {
          last_digits: capture.number.slice(-4),
          brand: 'VISA',
          type: 'CREDIT',
          bin_details: { bin: capture.number.slice(0, 8), bin_country_code: 'US' },
        },
      },
  purchase_units: [
    {
      soft_descriptor: 'SHOP*ONLINE',
      payments: {
        captures: [{ id: capture.id, status: 'COMPLETED' }],
        refunds: refundsOn(state, capture.id).map(refundDto),
      },
    },
  ],
});

const disputeDto = (dispute: FakePayPalDispute, isListed: boolean): object => ({
  dispute_id: dispute.id,
  create_time: iso(dispute.at),
  seller_response_due_date: iso(dispute.at + 10 * milliseconds.day),
  reason: 'UNAUTHORISED',
  status: dispute.status,
  dispute_amount: shownAmount(dispute.minor, dispute.currency),
  dispute_life_cycle_stage: dispute.stage,
  dispute_channel: 'EXTERNAL',
  ...(!isListed && {
    ...responseDto(dispute),
    external_reason_code: '10.4',
    disputed_transactions: [{ seller_transaction_id: dispute.capture }],
    ...(dispute.outcome && { dispute_outcome: { outcome_code: dispute.outcome } }),
  }),
});

const search = ({ captures }: State, query: URLSearchParams): FakeReply => {
  const [from, to] = ['start_date', 'end_date'].map((name) => Date.parse(query.get(name) ?? ''));
  if (Number.isNaN(from) || Number.isNaN(to) || Number(to) - Number(from) > 31 * milliseconds.day) {
    return problem(400, 'INVALID_REQUEST');
  }
  const currency = query.get('transaction_currency');
  const named = query.get('transaction_id');
  const fits = ({ at, isAuthorization, ...one }: Capture): boolean =>
    (named === null || one.id === named) &&
    at >= Number(from) &&
    at <= Number(to) &&
    !isAuthorization &&
    (currency === null || currency === one.currency);
  const found = [...captures.values()].filter(fits);
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('page_size') ?? 100)];
  const details = found.slice((page - 1) * size, page * size).map((one) => ({
    transaction_info: {
      transaction_id: one.id,
      transaction_event_code: 'T0006',
      transaction_initiation_date: iso(one.at).replace('.000Z', '+0000'),
      transaction_amount: shownAmount(one.minor, one.currency),
      transaction_status: 'S',
      ...(one.subscription !== '' && { paypal_reference_id: one.subscription, paypal_reference_id_type: 'SUB' }),
    },
  }));
  return {
    status: 200,
    body: {
      ...(details.length > 0 && { transaction_details: details }),
      page,
      total_items: found.length,
      total_pages: Math.ceil(found.length / size),
    },
  };
};

const listDisputes = ({ disputes }: State, query: URLSearchParams): FakeReply => {
  const [of, after] = [query.get('disputed_transaction_id'), Date.parse(query.get('create_time_after') ?? '')];
  const before = Date.parse(query.get('create_time_before') ?? '2100-01-01');
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('page_size') ?? 10)];
  const found = [...disputes.values()]
    .filter(
      (one) => (of === null || one.capture === of) && (Number.isNaN(after) || one.at >= after) && one.at <= before,
    )
    .toSorted((one, other) => other.at - one.at)
    .slice((page - 1) * size, page * size);
  const items = found.map((one) => disputeDto(one, true));
  // PayPal's document allows no empty list.
  return { status: 200, body: { ...(items.length > 0 && { items }), links: selfLink('/v1/customer/disputes') } };
};

const refund = (
  state: State,
  id: string,
  sent: { amount: { value: string; currency_code: string }; custom_id?: string },
) => {
  const capture = state.captures.get(id);
  if (!capture || capture.isAuthorization) return absent;
  const { value, currency_code: currency } = sent.amount;
  if (currency !== capture.currency) return problem(422, 'UNPROCESSABLE_ENTITY', 'REFUND_CAPTURE_CURRENCY_MISMATCH');
  if (wholeOnly.includes(currency) && value.includes('.')) {
    return problem(422, 'UNPROCESSABLE_ENTITY', 'DECIMALS_NOT_SUPPORTED');
  }
  const minor = toMinor(value, currency);
  const left = capture.minor - sumRefunded(state, id);
  if (left === 0) return problem(422, 'UNPROCESSABLE_ENTITY', 'CAPTURE_FULLY_REFUNDED');
  if (minor > left) return problem(422, 'UNPROCESSABLE_ENTITY', 'REFUND_AMOUNT_EXCEEDED');
  const status = capture.number === refundsFailAtPayPal ? 'FAILED' : 'COMPLETED';
  const made = { capture: id, minor, currency, status, custom: sent.custom_id ?? '', at: nowMilliseconds() };
  const refunded = { id: `${state.refunds.size + 1}RF`.padStart(17, '0'), ...made };
  state.refunds.set(refunded.id, refunded);
  return { status: 201, body: refundDto(refunded) };
};

/** The same `PayPal-Request-Id` gets the same answer: https://developer.paypal.com/api/rest/reference/idempotency/ */
const onceBy = (state: State, { headers }: FakeRequest, act: () => FakeReply): FakeReply => {
  const key = String(headers['paypal-request-id'] ?? '');
  const before = state.answers.get(key);
  if (before) return { ...before, status: before.status === 201 ? 200 : before.status };
  const reply = act();
  if (key !== '' && reply.status === 201) state.answers.set(key, reply);
  return reply;
};

const objectAt = (state: State, path: string): object | undefined => {
  const [, kind = '', id = ''] = /^\/v[12]\/(?:payments|checkout|customer)\/(\w+)\/([\w-]+)$/.exec(path) ?? [];
  const payment = state.captures.get(id);
  if (kind === 'captures') return payment && !payment.isAuthorization ? paymentDto(state, payment) : undefined;
  if (kind === 'authorizations') return payment?.isAuthorization ? paymentDto(state, payment) : undefined;
  const ordered = [...state.captures.values()].find(({ order }) => order === id);
  if (kind === 'orders') return ordered && orderDto(state, ordered);
  const dispute = kind === 'disputes' ? state.disputes.get(id) : undefined;
  return dispute && disputeDto(dispute, false);
};

const answerIn = (state: State, request: FakeRequest): FakeReply => {
  const { method, path, query, body } = request;
  if (path === '/v1/reporting/transactions') return search(state, query);
  if (path === '/v1/customer/disputes') return listDisputes(state, query);
  const [, refunded] = /^\/v2\/payments\/captures\/(\w+)\/refund$/.exec(path) ?? [];
  if (method === 'POST' && refunded !== undefined) {
    return onceBy(state, request, () => refund(state, refunded, JSON.parse(body)));
  }
  const [, subscription] = /^\/v1\/billing\/subscriptions\/([\w-]+)\/cancel$/.exec(path) ?? [];
  // https://developer.paypal.com/docs/api/subscriptions/v1/#subscriptions_cancel: 204; 422 for one that is neither active nor suspended.
  if (method === 'POST' && subscription !== undefined) {
    const reason = JSON.parse(body).reason;
    if (typeof reason !== 'string' || reason === '' || reason.length > 128) return problem(400, 'INVALID_REQUEST');
    return state.subscriptions.delete(subscription)
      ? { status: 204, body: '' }
      : problem(422, 'UNPROCESSABLE_ENTITY', 'SUBSCRIPTION_STATUS_INVALID');
  }
  const response = answerPayPalResponse(state.disputes, request);
  if (response) return response;
  const object = method === 'GET' ? objectAt(state, path) : undefined;
  return object ? { status: 200, body: object } : absent;
};

const keys = { clientId: 'AYfakeClientIdOfAnApp-0001', clientSecret: 'EKfakeSecretOfAnApp-whole-0001' };
const searchOnlySecret = 'EKfakeSecretOfAnApp-search-0002';
const webhookId = '8PT597110X687430LKGECATA';
const signingKey = 'what PayPal signs with';

const mayReadOnly = /^\/(?:v1\/reporting|v2\/checkout)/;

/** An app has one webhook of an address: https://developer.paypal.com/docs/api/webhooks/v1/#webhooks_post */
const answerRegistration = ({ webhooks }: State, { method, body }: FakeRequest): FakeReply => {
  if (method === 'GET') {
    const listed = webhooks.map((url) => ({ id: webhookId, url, event_types: [{ name: 'CUSTOMER.DISPUTE.CREATED' }] }));
    return { status: 200, body: { webhooks: listed } };
  }
  const { url, event_types: types = [] } = JSON.parse(body) as { url: string; event_types?: object[] };
  if (types.length === 0) return problem(400, 'VALIDATION_ERROR');
  if (webhooks.includes(url)) return problem(400, 'WEBHOOK_URL_ALREADY_EXISTS');
  webhooks.push(url);
  return {
    status: 201,
    body: { id: webhookId, url, event_types: types, links: selfLink('/v1/notifications/webhooks') },
  };
};

const access = (request: FakeRequest, state: State, signed: (body: Record<string, unknown>) => boolean): FakeReply => {
  const { path, headers, body, method } = request;
  if (path === '/v1/oauth2/token') {
    const [id, secret] = Buffer.from(String(headers.authorization).replace('Basic ', ''), 'base64')
      .toString()
      .split(':');
    const isKnown = id === keys.clientId && [keys.clientSecret, searchOnlySecret].includes(secret ?? '');
    return isKnown
      ? {
          status: 200,
          body: {
            access_token: `A21.${secret === searchOnlySecret ? 'search' : 'whole'}`,
            token_type: 'Bearer',
            expires_in: 32_400,
          },
        }
      : { status: 401, body: { error: 'invalid_client', error_description: 'Client Authentication failed' } };
  }
  const token = String(headers.authorization).replace('Bearer ', '');
  if (!['A21.search', 'A21.whole'].includes(token)) return problem(401, 'AUTHENTICATION_FAILURE');
  if (path === '/v1/notifications/verify-webhook-signature') {
    return { status: 200, body: { verification_status: signed(JSON.parse(body)) ? 'SUCCESS' : 'FAILURE' } };
  }
  if (path === '/v1/notifications/webhooks') return answerRegistration(state, request);
  const isMine = method === 'GET' || token === 'A21.whole' || mayReadOnly.test(path);
  return isMine ? answerIn(state, request) : problem(403, 'NOT_AUTHORIZED', 'PERMISSION_DENIED');
};

export const startFakePayPal = async () => {
  const state = newState();
  const signatureOf = (time: string, body: string) => hmacSha256(signingKey, `${time}|${webhookId}|${body}`);
  const isSigned = (sent: Record<string, unknown>): boolean =>
    sent['webhook_id'] === webhookId &&
    sent['transmission_sig'] === signatureOf(String(sent['transmission_time']), JSON.stringify(sent['webhook_event']));
  const server = await startFakeServer({
    vendor: 'paypal',
    answer: (request) => access(request, state, isSigned),
    failure: (status) => ({ name: `STATUS_${status}` }),
  });
  let count = 0;
  const next = (kind: string): string => {
    count += 1;
    return `${count}${kind}`.padStart(17, '0');
  };
  return {
    ...server,
    ...keys,
    ...{ webhookId, searchOnlySecret },
    ...state,
    capture: ({ minor, ...change }: Partial<Capture> & { minor: number }): Capture => {
      const capture: Capture = {
        ...{ id: next('C'), order: next('O'), minor, currency: 'USD', number: '4111111111111111' },
        ...{
          at: Math.floor(nowMilliseconds() / 1000) * 1000,
          isAuthorization: false,
          isWallet: false,
          subscription: '',
        },
        ...change,
      };
      state.captures.set(capture.id, capture);
      return capture;
    },
    refundByHand: (capture: string, minor: number) => {
      const { currency } = state.captures.get(capture) ?? { currency: 'USD' };
      const id = next('H');
      state.refunds.set(id, { id, capture, minor, currency, status: 'COMPLETED', custom: '', at: nowMilliseconds() });
    },
    dispute: (capture: string, change: Partial<FakePayPalDispute> = {}) => {
      const { minor = 0, currency = 'USD' } = state.captures.get(capture) ?? {};
      const dispute: FakePayPalDispute = {
        ...{ id: `PP-D-${next('')}`, capture, minor, currency, stage: 'CHARGEBACK', outcome: '' },
        ...{ status: 'WAITING_FOR_SELLER_RESPONSE', at: nowMilliseconds(), evidences: [], files: [], acceptedAs: '' },
        ...change,
      };
      state.disputes.set(dispute.id, dispute);
      return dispute;
    },
    webhook: (eventType: string, resource: object) => {
      const rawBody = JSON.stringify({ id: `WH-${next('')}`, event_type: eventType, resource });
      const time = nowIso();
      return {
        rawBody,
        headers: {
          'paypal-auth-algo': 'SHA256withRSA',
          'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42',
          'paypal-transmission-id': '69cd13f0-d67a-11e5-baa3-778b53f4ae55',
          'paypal-transmission-sig': signatureOf(time, rawBody),
          'paypal-transmission-time': time,
        },
      };
    },
  };
};

export type FakePayPal = Awaited<ReturnType<typeof startFakePayPal>>;
