import { readFileSync } from 'node:fs';
import { buildSchema, type FieldNode, type GraphQLResolveInfo, getDirectiveValues, graphqlSync } from 'graphql';
import { iso, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { hmacSha256 } from '#core/kernel/crypto.ts';
import { type FakeReply, type FakeRequest, startFakeServer } from './fake-processor.ts';
import {
  emptyShopifyEvidence,
  type FakeShopifyDispute,
  shopifyDisputeDto,
  updateShopifyEvidence,
  uploadToFakeShopify,
} from './fake-shopify-disputes.ts';

/** One shop at Shopify, whose Admin API is checked against its documented schema, `fake-shopify.graphql`. */

type Transaction = {
  id: string;
  order: string;
  kind: 'SALE' | 'AUTHORIZATION' | 'CAPTURE' | 'REFUND';
  status: string;
  minor: number;
  currency: string;
  number: string;
  /** Shopify knows the last four digits of some cards alone. */
  hasBin?: boolean;
  at: number;
  parent: string | null;
};
type Refund = { id: string; order: string; note: string; transaction: string };

/** A card whose refunds fail. */
export const refundsFailAtShopify = '4000000000005126';

const schema = buildSchema(readFileSync(new URL('fake-shopify.graphql', import.meta.url), 'utf8'));

const newState = () => ({
  transactions: new Map<string, Transaction>(),
  refunds: new Map<string, Refund>(),
  disputes: new Map<string, FakeShopifyDispute>(),
  /** Fields of orders that differ from the usual ones, by number. Without `updatedAt`, it is the time of the last transaction. */
  details: new Map<string, Record<string, unknown>>(),
  /** The state of an order's shipment, where it is not open, and the holds on it, by the order's number. */
  shipments: new Map<string, { status?: string; holds: string[] }>(),
  /** Subscriptions that began with an order, by its number. `isOurs`: of this app. */
  contracts: new Map<string, { status: string; isOurs: boolean }>(),
  /** Topics and addresses of webhooks. */
  subscriptions: new Set<string>(),
  answers: new Map<string, object>(),
  refundStatus: 'SUCCESS',
  count: 0,
});
type State = ReturnType<typeof newState>;

/** Shopify writes at least one decimal, and no more zeros than that. */
const toText = (minor: number, currency: string): string => {
  const digits = currency === 'JPY' ? 0 : currency === 'KWD' ? 3 : 2;
  const text = String(minor / 10 ** digits);
  return text.includes('.') ? text : `${text}.0`;
};
const fromText = (amount: string, currency: string): number =>
  Math.round(Number(amount) * (currency === 'JPY' ? 1 : currency === 'KWD' ? 1000 : 100));

const toMoney = (minor: number, currencyCode: string) => ({ amount: toText(minor, currencyCode), currencyCode });

const transactionDto = (state: State, one: Transaction): object => ({
  __typename: 'OrderTransaction',
  ...{ id: `gid://shopify/OrderTransaction/${one.id}`, kind: one.kind, status: one.status },
  ...{
    gateway: one.number === '' ? 'gift_card' : 'shopify_payments',
    createdAt: iso(one.at),
    processedAt: iso(one.at),
  },
  authorizationCode: one.kind === 'REFUND' || one.number === '' ? null : '643381',
  amountSet: { presentmentMoney: toMoney(one.minor, one.currency), shopMoney: toMoney(one.minor, one.currency) },
  parentTransaction: () => {
    const parent = state.transactions.get(one.parent ?? '');
    return parent ? transactionDto(state, parent) : null;
  },
  // Gift cards have no details.
  paymentDetails:
    one.number === ''
      ? null
      : {
          __typename: 'CardPaymentDetails',
          ...{
            bin: one.hasBin === false ? null : one.number.slice(0, 6),
            number: `•••• •••• •••• ${one.number.slice(-4)}`,
            company: 'Visa',
          },
        },
  order: () => orderDto(state, one.order),
});

const refundDto = (state: State, { id, note, transaction }: Refund): object => ({
  ...{ __typename: 'Refund', id: `gid://shopify/Refund/${id}`, note },
  transactions: {
    nodes: [state.transactions.get(transaction)].flatMap((one) => (one ? transactionDto(state, one) : [])),
  },
});

const ofOrder = <T extends { order: string }>(all: Map<string, T>, order: string): T[] =>
  [...all.values()].filter((one) => one.order === order);

const updatedAt = (state: State, order: string): string =>
  String(
    state.details.get(order)?.['updatedAt'] ?? iso(Math.max(...ofOrder(state.transactions, order).map(({ at }) => at))),
  );

const toBag = (minor: number, currency: string) => ({
  presentmentMoney: toMoney(minor, currency),
  shopMoney: toMoney(minor, currency),
});

const contractDto = ({ contracts }: State, order: string) => {
  const contract = contracts.get(order);
  return contract ? { id: `gid://shopify/SubscriptionContract/${order}`, status: contract.status } : null;
};

const shipmentDto = ({ shipments }: State, order: string) => {
  const { status, holds } = shipments.get(order) ?? { holds: [] };
  return {
    ...{ id: `gid://shopify/FulfillmentOrder/${order}`, status: status ?? (holds.length > 0 ? 'ON_HOLD' : 'OPEN') },
    fulfillmentHolds: holds.map((handle, index) => ({
      ...{ id: `gid://shopify/FulfillmentHold/${index}`, handle, heldByRequestingApp: true },
    })),
  };
};

/** A handle is used once: https://shopify.dev/docs/api/admin-graphql/2026-07/enums/FulfillmentOrderHoldUserErrorCode (2026-11-29) */
const holdShipment = (state: State, sent: { id: string; fulfillmentHold: { handle?: string } }): object => {
  const order = sent.id.split('/').at(-1) ?? '';
  const { handle = '' } = sent.fulfillmentHold;
  const shipment = state.shipments.get(order) ?? { holds: [] };
  const refusal = shipment.status ? 'TAKEN' : shipment.holds.includes(handle) && 'DUPLICATE_FULFILLMENT_HOLD_HANDLE';
  if (refusal) return { userErrors: [{ code: refusal, message: 'refused' }] };
  state.shipments.set(order, { ...shipment, holds: [...shipment.holds, handle] });
  return { fulfillmentHold: { id: `gid://shopify/FulfillmentHold/${order}` }, userErrors: [] };
};

const cancelContract = (state: State, { subscriptionContractId: id }: { subscriptionContractId: string }): object => {
  const order = id.split('/').at(-1) ?? '';
  const contract = state.contracts.get(order);
  if (!contract?.isOurs) return { userErrors: [{ message: 'Subscription contract does not exist' }] };
  contract.status = 'CANCELLED';
  return { contract: contractDto(state, order), userErrors: [] };
};

/** The goods of an order, for the whole amount of its first transaction. */
const soldDto = (state: State, order: string): object => {
  const [sale] = ofOrder(state.transactions, order);
  const [minor, currency] = [sale?.minor ?? 0, sale?.currency ?? 'USD'];
  const address = {
    ...{ name: 'Ada Lovelace', firstName: 'Ada', lastName: 'Lovelace', address1: '12 St James Square', city: 'London' },
    ...{ countryCodeV2: 'GB', zip: 'SW1Y 4JH', phone: '+44 20 7946 0958' },
  };
  const contract = contractDto(state, order);
  const items = [{ title: 'Tea', quantity: 1, sku: 'T-1', originalUnitPriceSet: toBag(minor, currency), contract }];
  return {
    ...{ test: false, createdAt: iso(sale?.at ?? 0), updatedAt: updatedAt(state, order), email: 'ada@example.com' },
    ...{ clientIp: '203.0.113.7', totalPriceSet: toBag(minor, currency), totalShippingPriceSet: toBag(0, currency) },
    ...{ totalTaxSet: toBag(0, currency), totalDiscountsSet: toBag(0, currency), fulfillments: [] },
    fulfillmentOrders: { nodes: [shipmentDto(state, order)] },
    customAttributes: [],
    ...{ billingAddress: address, shippingAddress: address, lineItems: { nodes: items } },
    ...state.details.get(order),
  };
};

const orderDto = (state: State, order: string): object => ({
  ...{ __typename: 'Order', id: `gid://shopify/Order/${order}`, name: `#${order}`, presentmentCurrencyCode: 'USD' },
  ...soldDto(state, order),
  transactions: () => ofOrder(state.transactions, order).map((one) => transactionDto(state, one)),
  refunds: () => ofOrder(state.refunds, order).map((one) => refundDto(state, one)),
  disputes: () =>
    ofOrder(state.disputes, order).map((one) => ({
      ...{
        id: `gid://shopify/OrderDisputeSummary/${one.id}`,
        status: one.status,
        initiatedAs: one.initiatedAs ?? one.type,
      },
    })),
});

const disputeDto = (state: State, one: FakeShopifyDispute): object =>
  shopifyDisputeDto(one, { money: toMoney(1999, 'USD'), order: orderDto(state, one.order) });

/** Reads `updated_at:>='…'`, or `id:1 OR id:2`. A cursor is the number of orders up to it. */
const changedOrders = (
  state: State,
  { query, first, after = null }: { query: string; first: number; after?: string | null },
): object => {
  const [, from] = /^updated_at:>='([^']+)'$/.exec(query) ?? [];
  const ids = /^id:\d+(?: OR id:\d+)*$/.test(query) ? query.match(/\d+/g) : null;
  if (from === undefined && ids === null) throw new Error(`no such query: ${query}`);
  const orders = [...new Set([...state.transactions.values()].map(({ order }) => order))]
    .map((order) => ({ order, at: updatedAt(state, order) }))
    .filter(({ order, at }) => (ids ? ids.includes(order) : at >= (from ?? '')))
    .toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
  const start = Number(after ?? 0);
  const page = orders.slice(start, start + first);
  return {
    nodes: page.map(({ order }) => orderDto(state, order)),
    edges: page.map((_, index) => ({ cursor: String(start + index + 1) })),
    pageInfo: { hasNextPage: orders.length > start + first, endCursor: String(start + first) },
  };
};

/** Reads `credit_card_last4:1111 created_at:>='…' created_at:<='…'`, the first part being optional, and the last perhaps `<`. */
const search = (
  state: State,
  { query, first, after = null }: { query: string; first: number; after?: string | null },
): object => {
  const [, last4 = '', from, isWith, to = ''] =
    /^(?:credit_card_last4:(\d{4}) )?created_at:>='([^']+)' created_at:<(=?)'([^']+)'$/.exec(query) ?? [];
  if (from === undefined) throw new Error(`no such query: ${query}`);
  const end = Date.parse(to) + (isWith ? 1 : 0);
  const fits = ({ number, at, kind }: Transaction): boolean =>
    kind !== 'REFUND' && number.endsWith(last4) && at >= Date.parse(from) && at < end;
  const orders = [...new Set([...state.transactions.values()].filter(fits).map(({ order }) => order))];
  const start = Number(after ?? 0);
  return {
    nodes: orders.slice(start, start + first).map((order) => orderDto(state, order)),
    pageInfo: { hasNextPage: orders.length > start + first, endCursor: String(start + first) },
  };
};

type RefundInput = {
  orderId: string;
  note?: string;
  currency: string;
  transactions: { amount: string; parentId: string; orderId: string; kind: string }[];
};

const refused = (message: string): object => ({ refund: null, userErrors: [{ field: null, message }] });

const createRefund = (state: State, { note = '', currency, transactions: [sent] }: RefundInput): object => {
  const parent = state.transactions.get(sent?.parentId.split('/').at(-1) ?? '');
  if (!sent || !parent || parent.kind === 'AUTHORIZATION') return refused('Parent transaction is invalid');
  if (currency !== parent.currency) return refused('Currency must be the presentment currency');
  const given = ofOrder(state.transactions, parent.order)
    .filter((one) => one.parent === parent.id && one.kind === 'REFUND' && one.status !== 'FAILURE')
    .reduce((sum, one) => sum + one.minor, 0);
  const minor = fromText(sent.amount, currency);
  if (minor > parent.minor - given) return refused('Refund amount cannot be more than the available amount');
  const { order, number } = parent;
  const status = number === refundsFailAtShopify ? 'FAILURE' : state.refundStatus;
  const refund = addRefund(state, { order, number, currency, minor, parent: parent.id, status }, note);
  return { refund: refundDto(state, refund), userErrors: [] };
};

const nextId = (state: State): string => {
  state.count += 1;
  return String(5_000_000_000_000 + state.count);
};

const addRefund = (
  state: State,
  change: Pick<Transaction, 'order' | 'number' | 'currency' | 'minor' | 'parent' | 'status'>,
  note: string,
): Refund => {
  const transaction: Transaction = { id: nextId(state), kind: 'REFUND', at: nowMilliseconds(), ...change };
  state.transactions.set(transaction.id, transaction);
  const refund = { id: nextId(state), order: change.order, note, transaction: transaction.id };
  state.refunds.set(refund.id, refund);
  return refund;
};

/** Shopify requires the directive since 2026-04: https://shopify.dev/changelog/posts/making-idempotency-mandatory-for-inventory-adjustments-and-refund-mutations */
const onceKey = ({ fieldNodes, variableValues }: GraphQLResolveInfo): string => {
  const directive = schema.getDirective('idempotent');
  const values = directive && getDirectiveValues(directive, fieldNodes[0] as FieldNode, variableValues);
  const key = values?.['key'];
  if (typeof key !== 'string') throw new Error('refundCreate needs an idempotency key');
  return key;
};

const giveScopes = (isReader: boolean): string[] =>
  isReader
    ? ['read_orders', 'read_shopify_payments_disputes']
    : [
        ...['write_orders', 'read_shopify_payments_disputes'],
        ...['write_shopify_payments_dispute_evidences', 'write_shopify_payments_dispute_file_uploads'],
      ];

const takePage = (state: State, { first, after }: { first: number; after: string | null }): object => {
  const sorted = [...state.disputes.values()].toSorted((one, other) => other.at - one.at);
  const start = after === null ? 0 : sorted.findIndex(({ id }) => id === after) + 1;
  const nodes = sorted.slice(start, start + first);
  const pageInfo = { hasNextPage: start + first < sorted.length, endCursor: nodes.at(-1)?.id ?? null };
  return { nodes: nodes.map((one) => disputeDto(state, one)), pageInfo };
};

type Subscription = { topic: string; webhookSubscription: { uri: string } };

const toRoot = (state: State, isReader: boolean): object => ({
  currentAppInstallation: { accessScopes: giveScopes(isReader).map((handle) => ({ handle, description: '' })) },
  orders: (sent: { query: string; first: number; after?: string | null; sortKey?: string }) =>
    sent.sortKey === 'UPDATED_AT' ? changedOrders(state, sent) : search(state, sent),
  node: ({ id }: { id: string }) => {
    const transaction = state.transactions.get(id.split('/').at(-1) ?? '');
    return transaction ? transactionDto(state, transaction) : null;
  },
  order: ({ id }: { id: string }) => {
    const order = id.split('/').at(-1) ?? '';
    return ofOrder(state.transactions, order).length > 0 ? orderDto(state, order) : null;
  },
  fulfillmentOrderHold: (sent: Parameters<typeof holdShipment>[1]) => holdShipment(state, sent),
  subscriptionContractCancel: (sent: Parameters<typeof cancelContract>[1]) => cancelContract(state, sent),
  dispute: ({ id }: { id: string }) => {
    const dispute = state.disputes.get(id.split('/').at(-1) ?? '');
    return dispute ? disputeDto(state, dispute) : null;
  },
  disputeEvidenceUpdate: (sent: { id: string; input: Record<string, unknown> }) =>
    updateShopifyEvidence(state.disputes, sent),
  disputes: (sent: { first: number; after: string | null }) => takePage(state, sent),
  webhookSubscriptionCreate: ({ topic, webhookSubscription: { uri } }: Subscription) => {
    const name = `${topic} ${uri}`;
    const message = 'Address for this topic has already been taken';
    if (state.subscriptions.has(name)) return { userErrors: [{ field: ['webhookSubscription'], message }] };
    state.subscriptions.add(name);
    const id = `gid://shopify/WebhookSubscription/${nextId(state)}`;
    return { userErrors: [], webhookSubscription: { id, topic, uri } };
  },
  refundCreate: ({ input }: { input: RefundInput }, _context: unknown, info: GraphQLResolveInfo) => {
    const key = onceKey(info);
    const answer = state.answers.get(key) ?? createRefund(state, input);
    state.answers.set(key, answer);
    return answer;
  },
});

const keys = { clientId: 'a1b2c3d4e5f60718293a4b5c6d7e8f90', clientSecret: 'shpss_0123456789abcdef0123456789abcdef' };
const readOnlySecret = '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';

const giveToken = ({ body }: FakeRequest): FakeReply => {
  const form = new URLSearchParams(body);
  const secret = form.get('client_secret') ?? '';
  const isKnown = form.get('client_id') === keys.clientId && [keys.clientSecret, readOnlySecret].includes(secret);
  if (form.get('grant_type') !== 'client_credentials' || !isKnown) {
    return { status: 400, body: { error: 'invalid_client' } };
  }
  return { status: 200, body: { access_token: `shpat_${secret.slice(-4)}`, expires_in: 86_399, scope: '' } };
};

const answerIn = (state: State, request: FakeRequest): FakeReply => {
  if (request.path === '/admin/oauth/access_token') return giveToken(request);
  const token = request.headers['x-shopify-access-token'];
  const isReader = token === `shpat_${readOnlySecret.slice(-4)}`;
  if (!isReader && token !== `shpat_${keys.clientSecret.slice(-4)}`) {
    return { status: 401, body: { errors: '[API] Invalid API key or access token (unrecognized login)' } };
  }
  const uploaded = isReader ? undefined : uploadToFakeShopify(state.disputes, request, () => nextId(state));
  if (uploaded) return uploaded;
  if (request.path !== '/admin/api/2026-07/graphql.json') return { status: 404, body: { errors: 'Not Found' } };
  const { query, variables } = JSON.parse(request.body);
  if (isReader && (query.startsWith('mutation') || query.includes('disputeEvidence'))) {
    const error = { message: 'Access denied for this field.', extensions: { code: 'ACCESS_DENIED' } };
    return { status: 200, body: { errors: [error], data: null } };
  }
  const result = graphqlSync({ schema, source: query, variableValues: variables, rootValue: toRoot(state, isReader) });
  return { status: 200, body: { ...result, errors: result.errors?.map(({ message }) => ({ message })) } };
};

/** Faults are meant for documents: `POST /admin/… query Orders`. */
const queryName = ({ body }: FakeRequest): string =>
  body.startsWith('{') ? (/^\w+ \w+/.exec(JSON.parse(body).query)?.[0] ?? '') : '';

export const startFakeShopify = async () => {
  const state = newState();
  const server = await startFakeServer({
    vendor: 'shopify',
    answer: (request) => answerIn(state, request),
    nameCall: queryName,
    failure: (status) => ({ errors: `status ${status}` }),
  });
  const add = (change: Partial<Transaction> & { minor: number }): Transaction => {
    const one: Transaction = {
      ...{ id: nextId(state), order: nextId(state), kind: 'SALE', status: 'SUCCESS', currency: 'USD' },
      ...{ number: '4111111111111111', at: nowMilliseconds(), parent: null, ...change },
    };
    state.transactions.set(one.id, one);
    return one;
  };
  return {
    ...server,
    ...keys,
    ...state,
    readOnlySecret,
    /** A sale of an order of its own; or an authorisation, and its capture where `isCaptured`. */
    sell: ({ isCaptured, ...change }: Partial<Transaction> & { minor: number; isCaptured?: boolean }): Transaction => {
      if (isCaptured === undefined) return add(change);
      const authorization = add({ ...change, kind: 'AUTHORIZATION' });
      if (!isCaptured) return authorization;
      return add({ ...authorization, id: nextId(state), kind: 'CAPTURE', parent: authorization.id });
    },
    refundByHand: (id: string, minor: number) => {
      const { order, number, currency } = state.transactions.get(id) ?? add({ minor });
      addRefund(state, { order, number, currency, minor, parent: id, status: 'SUCCESS' }, 'by hand');
    },
    dispute: (transaction: string, change: Partial<FakeShopifyDispute> = {}) => {
      const order = state.transactions.get(transaction)?.order ?? '';
      const dispute: FakeShopifyDispute = {
        ...emptyShopifyEvidence(),
        ...{ id: nextId(state), order, type: 'CHARGEBACK', status: 'NEEDS_RESPONSE', at: nowMilliseconds() },
        ...change,
      };
      state.disputes.set(dispute.id, dispute);
      return dispute;
    },
    /** Sets what becomes of the money of the next refunds. */
    answerRefunds: (status: string) => {
      state.refundStatus = status;
      for (const one of state.transactions.values()) if (one.status === 'PENDING') one.status = status;
    },
    webhook: (topic: string, rawBody: string) => {
      const signature = Buffer.from(hmacSha256(keys.clientSecret, rawBody), 'hex').toString('base64');
      const id = `${topic}-${nowIso()}-${nextId(state)}`;
      return {
        rawBody,
        headers: { 'x-shopify-topic': topic, 'x-shopify-event-id': id, 'x-shopify-hmac-sha256': signature },
      };
    },
  };
};

export type FakeShopify = Awaited<ReturnType<typeof startFakeShopify>>;
