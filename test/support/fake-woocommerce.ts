import { nowMilliseconds } from '#core/kernel/clock.ts';
import { type FakeReply, type FakeRequest, type FakeServer, startFakeServer } from './fake-processor.ts';

/** A WooCommerce shop, whose REST API behaves as https://woocommerce.github.io/woocommerce-rest-api-docs/ describes it. */

type Fields = Record<string, unknown>;
type Refund = { id: number; amount: string; at: number };

/** `isHidden`: the keys may not read it, so that it is counted in a list and missing from its pages. */
type WooOrder = {
  id: number;
  modified: number;
  fields: Fields;
  refunds: Refund[];
  isHidden: boolean;
  /** The answer about its refunds, where it differs from the usual one. */
  refundsAnswer?: FakeReply;
};

/** The shop without a server: what it has, and what it answers. */
export type WooShop = {
  consumerKey: string;
  consumerSecret: string;
  orders: Map<number, WooOrder>;
  /** `isOld`: before WooCommerce 9.0, which has no list of all refunds. */
  release: { isOld: boolean };
  /** Of the extension WooCommerce Subscriptions, by id; null: it is not installed. */
  subscriptions: Map<number, { parent: number; status: string }> | null;
  /** The keys may read only. */
  isReadOnly: boolean;
  /** Places a paid order. `modified`: when it was changed last. */
  order(change?: { modified?: number; fields?: Fields; isHidden?: boolean }): WooOrder;
  /**
   * `isUnseen`: by a gateway that leaves the order's time of change as it was, as
   * https://github.com/woocommerce/woocommerce-paypal-payments/issues/1125 reports it.
   */
  refund(order: number, amount: string, isUnseen?: boolean): void;
};

export type FakeWooCommerce = FakeServer &
  WooShop & {
    /** Answers the next requests with 429 and a time to wait. */
    limit(retryAfter: string, times?: number): void;
  };

const gmt = (at: number): string => new Date(at).toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length);

const wooError = (code: string, message: string, status: number): FakeReply => ({
  status,
  body: { code, message, data: { status } },
});

const shown = ({ id, modified, fields, refunds }: WooOrder): Fields => ({
  ...{ id, number: String(id), status: 'processing', currency: 'USD' },
  ...{ date_created_gmt: gmt(modified), date_modified_gmt: gmt(modified), date_paid_gmt: gmt(modified) },
  ...{ total: '32.50', total_tax: '2.50', shipping_total: '5.00', discount_total: '0.00', customer_id: 7 },
  ...{ customer_ip_address: '203.0.113.7', customer_user_agent: 'Mozilla/5.0', transaction_id: '' },
  billing: {
    ...{ first_name: 'Ada', last_name: 'Lovelace', address_1: '12 St James Square', address_2: '', city: 'London' },
    ...{ state: '', postcode: 'SW1Y 4JH', country: 'GB', email: 'ada@example.com', phone: '+44 20 7946 0958' },
  },
  shipping: {
    first_name: 'Ada',
    last_name: 'Lovelace',
    address_1: '12 St James Square',
    city: 'London',
    country: 'GB',
  },
  line_items: [{ id: 1, name: 'Tea', quantity: 2, subtotal: '25.00', total: '25.00', sku: 'T-1', price: 12.5 }],
  payment_method: 'card',
  meta_data: [{ id: 1, key: '_note', value: 'not asked for' }],
  refunds: refunds.map((one) => ({ id: one.id, reason: '', total: `-${one.amount}` })),
  ...fields,
});

/** The parameter `_fields`: https://developer.wordpress.org/rest-api/using-the-rest-api/global-parameters/#_fields */
const pick = (fields: Fields, names: string | null): Fields =>
  names === null
    ? fields
    : Object.fromEntries(Object.entries(fields).filter(([name]) => names.split(',').includes(name)));

const mostPerPage = 100;

const listIn = (orders: WooShop['orders'], query: URLSearchParams): FakeReply => {
  const size = Number(query.get('per_page') ?? 10);
  if (!(size >= 1 && size <= mostPerPage)) return wooError('rest_invalid_param', 'Invalid parameter: per_page', 400);
  if (query.get('orderby') !== 'modified' || query.get('order') !== 'asc') throw new Error('another order');
  if (query.get('dates_are_gmt') !== 'true') throw new Error('the time of the shop');
  const after = query.get('modified_after');
  const ids = query.get('include')?.split(',');
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(after ?? '');
  if (after === null ? !ids : !isTime) throw new Error(`no such time: ${after}`);
  const offset = Number(query.get('offset') ?? 0);
  const found = [...orders.values()].filter(
    ({ id, modified }) => (after === null || gmt(modified) > after) && (ids?.includes(String(id)) ?? true),
  );
  const sorted = found.toSorted((one, other) =>
    gmt(one.modified) < gmt(other.modified) ? -1 : gmt(one.modified) > gmt(other.modified) ? 1 : 0,
  );
  const page = sorted.slice(offset, offset + size).filter(({ isHidden }) => !isHidden);
  return {
    status: 200,
    headers: { 'x-wp-total': String(sorted.length) },
    body: page.map((one) => pick(shown(one), query.get('_fields'))),
  };
};

/** https://developer.woocommerce.com/docs/apis/rest-api/v3/refunds/, in WooCommerce 9.0 and later. */
const refundsIn = (orders: WooShop['orders'], query: URLSearchParams): FakeReply => {
  const after = query.get('after') ?? '';
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(after)) throw new Error(`no such time: ${after}`);
  if (query.get('dates_are_gmt') !== 'true') throw new Error('the time of the shop');
  const size = Number(query.get('per_page') ?? 10);
  if (!(size >= 1 && size <= mostPerPage)) return wooError('rest_invalid_param', 'Invalid parameter: per_page', 400);
  const all = [...orders.values()]
    .filter(({ isHidden }) => !isHidden)
    .flatMap(({ id, refunds }) => refunds.map((one) => ({ ...one, parent: id })))
    .filter(({ at }) => gmt(at) > after)
    .toSorted((one, other) => other.at - one.at);
  const body = all.slice(0, size).map(({ id, parent, amount, at }) => {
    const fields = { id, parent_id: parent, date_created_gmt: gmt(at), amount, reason: '', refunded_by: 1 };
    return pick(fields, query.get('_fields'));
  });
  return { status: 200, headers: { 'x-wp-total': String(all.length) }, body };
};

const statuses = ['pending', 'processing', 'on-hold', 'completed', 'cancelled', 'refunded', 'failed'];

/** Reads or edits one order, or subscriptions: https://woocommerce.github.io/subscriptions-rest-api-docs/ */
const editIn = (
  shop: Pick<WooShop, 'orders' | 'release' | 'subscriptions' | 'isReadOnly'>,
  request: FakeRequest,
): FakeReply | undefined => {
  const { method, path, query, body } = request;
  const [, kind, id] = /^\/shop\/wp-json\/wc\/v3\/(orders|subscriptions)(?:\/(\d+))?$/.exec(path) ?? [];
  if (kind === 'subscriptions' && shop.subscriptions === null)
    return wooError('rest_no_route', 'No route was found', 404);
  if (method !== 'GET' && shop.isReadOnly)
    return wooError('woocommerce_rest_cannot_edit', 'Sorry, you are not allowed to edit this resource.', 401);
  const only = query.get('_fields');
  const sent = method === 'GET' ? undefined : JSON.parse(body).status;
  if (kind === 'subscriptions') {
    const all = [...(shop.subscriptions ?? [])].map(([number, one]) => ({ id: number, ...one }));
    if (id === undefined) {
      const [parent, include] = [query.get('parent'), query.get('include')];
      const listed = all.filter((one) => String(parent === null ? one.id : one.parent) === (parent ?? include));
      return { status: 200, body: listed.map(({ id: number, status }) => ({ id: number, status })) };
    }
    const found = shop.subscriptions?.get(Number(id));
    if (!found) return wooError('woocommerce_rest_shop_subscription_invalid_id', 'Invalid ID.', 404);
    if (sent !== undefined) found.status = sent;
    return { status: 200, body: { id: Number(id), status: found.status } };
  }
  if (kind !== 'orders' || (id === undefined && query.get('search') === null)) return undefined;
  const fit = ({ fields, id: number }: WooOrder) =>
    String(fields['number'] ?? number).includes(query.get('search') ?? '');
  if (id === undefined)
    return { status: 200, body: [...shop.orders.values()].filter(fit).map((one) => pick(shown(one), only)) };
  const order = shop.orders.get(Number(id));
  if (!order) return wooError('woocommerce_rest_shop_order_invalid_id', 'Invalid ID.', 404);
  if (sent !== undefined && !statuses.includes(sent))
    return wooError('rest_invalid_param', 'Invalid parameter: status', 400);
  if (sent !== undefined) order.fields['status'] = sent;
  return { status: 200, body: pick(shown(order), only) };
};

const answerIn = (
  shop: Pick<WooShop, 'orders' | 'release' | 'subscriptions' | 'isReadOnly'>,
  request: FakeRequest,
  right: string,
): FakeReply => {
  const { orders, release } = shop;
  if (request.headers.authorization !== right) {
    return wooError('woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.', 401);
  }
  const [, id, part] = /^\/shop\/wp-json\/wc\/v3\/orders(?:\/(\d+)\/(refunds))?$/.exec(request.path) ?? [null];
  const edited = editIn(shop, request);
  if (edited) return edited;
  if (request.method !== 'GET') return wooError('rest_no_route', 'No route was found', 404);
  if (part === 'refunds') {
    const order = orders.get(Number(id));
    if (!order) return wooError('woocommerce_rest_invalid_order_id', 'Invalid order ID.', 404);
    if (order.refundsAnswer !== undefined) return { ...order.refundsAnswer, isDeviant: true };
    const refunds = order.refunds.map((one) => ({ id: one.id, amount: one.amount, date_created_gmt: gmt(one.at) }));
    return { status: 200, body: refunds };
  }
  if (/\/v3\/refunds$/.test(request.path) && !release.isOld) return refundsIn(orders, request.query);
  return /\/orders$/.test(request.path)
    ? listIn(orders, request.query)
    : wooError('rest_no_route', 'No route was found', 404);
};

/** Makes a shop that answers under the path `/shop`. */
export const newWooShop = (): WooShop & { answer(request: FakeRequest): FakeReply } => {
  const consumerKey = `ck_${'0123456789abcdef'.repeat(3).slice(0, 40)}`;
  const consumerSecret = `cs_${'fedcba9876543210'.repeat(3).slice(0, 40)}`;
  const right = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`;
  const orders: WooShop['orders'] = new Map();
  let count = 1000;
  const shop: Pick<WooShop, 'orders' | 'release' | 'subscriptions' | 'isReadOnly'> = {
    orders,
    release: { isOld: false },
    subscriptions: null,
    isReadOnly: false,
  };
  return {
    consumerKey,
    consumerSecret,
    ...shop,
    answer(request) {
      return answerIn(this, request, right);
    },
    order: ({ modified = nowMilliseconds(), fields = {}, isHidden = false } = {}) => {
      count += 1;
      const one = { id: count, modified, fields, refunds: [], isHidden };
      orders.set(one.id, one);
      return one;
    },
    refund: (id, amount, isUnseen = false) => {
      const order = orders.get(id);
      if (!order) throw new Error(`no order ${id}`);
      count += 1;
      order.refunds.push({ id: count, amount, at: nowMilliseconds() });
      if (!isUnseen) order.modified = nowMilliseconds();
    },
  };
};

/** Starts a shop under the path `/shop`. */
export const startFakeWooCommerce = async (): Promise<FakeWooCommerce> => {
  const shop = newWooShop();
  const limits = { retryAfter: '', times: 0 };
  const server = await startFakeServer({
    vendor: 'woocommerce',
    answer: (request) => {
      if (limits.times === 0) return shop.answer(request);
      limits.times -= 1;
      return { ...wooError('too_many', 'Too many requests', 429), headers: { 'retry-after': limits.retryAfter } };
    },
    failure: (status) => ({ code: 'internal', message: `status ${status}`, data: { status } }),
  });
  return Object.assign(shop, server, {
    url: `${server.url}/shop`,
    limit: (retryAfter: string, times = 1) => {
      Object.assign(limits, { retryAfter, times });
    },
  });
};
