import * as v from 'valibot';
import { iso } from '#core/kernel/clock.ts';
import { isFields } from '#core/kernel/is-object.ts';
import { exponentOf, formatAmount, type Money, usualExponent } from '#core/kernel/money/money.ts';
import { asList } from '#core/kernel/schema/as-list.ts';
import { deviceFromToken, deviceTokenName } from '#payments/orders/device/device-token.ts';
import type { OrderRefund } from '#payments/orders/order.ts';
import {
  cleanText,
  partsOfTotal,
  type RefundsOfShop,
  type RefundsUnread,
  readMoney,
  refundFrom,
  refusedField,
  type ShopOrder,
  sumOfRefunds,
} from './shop-order.ts';

/** Orders of WooCommerce: https://woocommerce.github.io/woocommerce-rest-api-docs/#order-properties. Pure. */

const text = v.nullish(v.fallback(v.string(), ''), '');

/** GMT, without a zone: `2017-03-22T19:28:08`. */
const Gmt = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
  v.transform((time) => Date.parse(`${time}Z`)),
  v.check((time) => !Number.isNaN(time)),
  v.transform((time) => iso(time)),
);

const Address = v.nullish(
  v.object({
    ...{ first_name: text, last_name: text, address_1: text, address_2: text, city: text, state: text },
    ...{ postcode: text, country: text, email: text, phone: text },
  }),
);
type Address = v.InferOutput<typeof Address>;

/** Extensions write numbers as text, and amounts as numbers. */
const Count = v.pipe(v.union([v.number(), v.pipe(v.string(), v.decimal())]), v.transform(Number));
const AsText = v.pipe(v.union([v.string(), v.number()]), v.transform(String));

const LineItem = v.object({
  name: text,
  quantity: Count,
  subtotal: AsText,
  sku: text,
});

/** A list, which PHP writes as an object with numbers for names where entries were removed. */
export const listOfWoo = <S extends v.GenericSchema>(item: S) =>
  v.pipe(v.unknown(), v.transform(asList), v.array(item));

const WooOrder = v.object({
  id: Count,
  number: AsText,
  status: v.string(),
  currency: v.pipe(v.string(), v.length(3)),
  date_created_gmt: Gmt,
  date_modified_gmt: Gmt,
  date_paid_gmt: v.nullish(Gmt),
  total: AsText,
  total_tax: AsText,
  shipping_total: AsText,
  discount_total: AsText,
  customer_id: v.nullish(v.union([v.literal(''), Count]), 0),
  customer_ip_address: text,
  customer_user_agent: text,
  billing: Address,
  shipping: Address,
  transaction_id: text,
  line_items: listOfWoo(LineItem),
  refunds: v.nullish(listOfWoo(v.unknown()), []),
  meta_data: v.nullish(listOfWoo(v.unknown()), []),
});
type WooOrder = v.InferOutput<typeof WooOrder>;

/** The fields that are read of an order: the parameter `_fields` keeps the answer small. */
export const wooOrderFields = Object.keys(WooOrder.entries).join(',');

/** Orders that were never paid, or whose sale was called off. Plugins add states, so others count by their date of payment. */
const unpaidStates = ['pending', 'failed', 'cancelled', 'trash', 'checkout-draft', 'auto-draft'];

const wooPlace = (address: NonNullable<Address>) => ({
  name: cleanText(`${address.first_name} ${address.last_name}`, 200),
  address: cleanText([address.address_1, address.address_2].filter(Boolean).join(', '), 300),
  suburb_city: cleanText(address.city, 100),
  state: cleanText(address.state, 100),
  country: cleanText(address.country, 2),
  postcode: cleanText(address.postcode, 20),
});

const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ndash: '–', mdash: '—', hellip: '…' },
  ...{
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    euro: '€',
    trade: '™',
    reg: '®',
    copy: '©',
    times: '×',
    deg: '°',
  },
};

const decodeEntity = (whole: string, name: string): string => {
  const [, hex = '', code = hex && `0x${hex}`] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? [];
  if (code !== '') return Number(code) <= 0x10ffff ? String.fromCodePoint(Number(code)) : whole;
  return (Object.hasOwn(entities, name) && entities[name]) || whole;
};

/** Names of products are HTML, which may contain tags and entities. */
const textOfHtml = (html: string): string =>
  html.replace(/<\/?[a-z][^<>]{0,500}>/gi, ' ').replace(/&(#?\w{1,10});/g, decodeEntity);

/** A line's price of one: before discounts and without tax. */
const wooItem = ({ name, quantity, subtotal, sku }: WooOrder['line_items'][number], currency: string) => {
  const unit = Number(subtotal) / quantity;
  if (!(quantity > 0) || !Number.isFinite(unit) || unit < 0) return [];
  return [
    {
      name: cleanText(textOfHtml(name ?? ''), 100) ?? 'Item',
      quantity: String(Number(quantity.toFixed(3))),
      amount_unit: unit.toFixed(exponentOf(currency) ?? usualExponent),
      sku: cleanText(sku, 100),
    },
  ];
};

const tokenIn = ({ meta_data }: WooOrder): unknown =>
  (meta_data ?? []).find((one): one is { value: unknown } => isFields(one) && one['key'] === deviceTokenName)?.value;

const wooFields = (order: WooOrder, total: Money): ShopOrder['fields'] => ({
  order_date: order.date_created_gmt,
  transaction_date: order.date_paid_gmt ?? order.date_created_gmt,
  amount: formatAmount(total),
  currency: total.currency,
  ...partsOfTotal(total, [order.total_tax, order.shipping_total, order.discount_total]),
  items: order.line_items.flatMap((line) => wooItem(line, total.currency)),
  customer: {
    ...(order.customer_id && { account_id: String(order.customer_id) }),
    firstname: cleanText(order.billing?.first_name, 100),
    lastname: cleanText(order.billing?.last_name, 100),
    email: order.billing?.email || undefined,
    phone: cleanText(order.billing?.phone, 40),
  },
  device: {
    ...deviceFromToken(tokenIn(order), order.number.trim()),
    ip: order.customer_ip_address || undefined,
    ...(order.customer_user_agent && { user_agent: cleanText(order.customer_user_agent, 500) }),
  },
  ...(order.billing && { billing: wooPlace(order.billing) }),
  ...(order.shipping?.address_1 && { shipping: wooPlace(order.shipping) }),
});

/** An amount; refunds in lists of orders are negative. */
const Amount = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((amount) => String(amount).trim().replace(/^-/, '')),
  v.regex(/^\d+(?:\.\d+)?$/),
);
const RefundId = v.pipe(v.union([v.string(), v.number()]), v.transform(String));

/** The short form in lists of orders: https://woocommerce.github.io/woocommerce-rest-api-docs/#order-refunds-properties */
const ListedRefund = v.object({ id: RefundId, total: Amount });

/** The refunds in the list of orders; one without an amount is null. */
const listedRefunds = ({ refunds, date_modified_gmt: at }: WooOrder, currency: string): (OrderRefund | null)[] =>
  (refunds ?? []).flatMap((body) => {
    const { success, output } = v.safeParse(ListedRefund, body);
    const money = success ? readMoney(output.total, currency) : null;
    return success && money ? (refundFrom(money, at, output.id) ?? []) : [null];
  });

/** An order, or its first field that has another form than documented. */
export const readWooOrder = (body: unknown): ShopOrder | string => {
  const { success, output: order, issues } = v.safeParse(WooOrder, body);
  if (!success) return refusedField(issues, 'order');
  const total = readMoney(order.total, order.currency);
  if (!total) return 'total';
  const listed = listedRefunds(order, total.currency);
  return {
    shopId: String(order.id),
    reference: order.number.trim(),
    modifiedAt: order.date_modified_gmt,
    isPaid: typeof order.date_paid_gmt === 'string' && !unpaidStates.includes(order.status),
    total,
    charge: order.transaction_id ?? '',
    card: null,
    // Shops exist whose list has no refunds of a refunded order.
    hasRefunds: order.status === 'refunded' || (order.refunds ?? []).length > 0,
    isRefunded: order.status === 'refunded',
    refunds: listed.filter((one) => one !== null),
    hasUnstated: listed.includes(null),
    fields: wooFields(order, total),
  };
};

/** https://woocommerce.github.io/woocommerce-rest-api-docs/#order-refund-properties */
const WooRefund = v.object({
  id: RefundId,
  date_created_gmt: v.nullish(v.fallback(v.nullable(Gmt), null)),
  amount: Amount,
});

/** The refunds of an order, or the first field that has another form than documented. */
export const readWooRefunds = (body: unknown, { total, modifiedAt }: ShopOrder): OrderRefund[] | string => {
  const { success, output, issues } = v.safeParse(listOfWoo(WooRefund), body);
  if (!success) return `refunds.${refusedField(issues, '')}`.replace(/\.$/, '');
  const refunds: OrderRefund[] = [];
  for (const [index, { id, date_created_gmt: at, amount }] of output.entries()) {
    const money = readMoney(amount, total.currency);
    if (!money) return `refunds.${index}.amount`;
    const refund = refundFrom(money, at ?? modifiedAt, id);
    if (refund) refunds.push(refund);
  }
  return refunds;
};

const OwnedRefund = v.looseObject({ parent_id: v.pipe(v.union([v.string(), v.number()]), v.transform(String)) });

/** Refunds by the identifier of their order: https://developer.woocommerce.com/docs/apis/rest-api/v3/refunds/ */
export const groupWooRefunds = (bodies: readonly unknown[]): Map<string, unknown[]> =>
  Map.groupBy(
    bodies.filter((body) => v.is(OwnedRefund, body)),
    (body) => v.parse(OwnedRefund, body).parent_id,
  );

/** An order with refunds that the list of orders may withhold. */
export const withWooRefunds = (order: ShopOrder, bodies: readonly unknown[]): ShopOrder => {
  const own = readWooRefunds(bodies, order);
  const [stated, listed] = [typeof own === 'string' ? [] : own, order.refunds];
  const { currency, minor } = order.total;
  const sum = sumOfRefunds(stated, currency);
  const isMore = sum > sumOfRefunds(listed, currency) && sum <= minor;
  return { ...order, hasRefunds: true, refunds: isMore ? stated : listed };
};

/**
 * The refunds of an order that states them in two ways: the larger sum that is not more than its total. Where neither has any, the status
 * `refunded` counts, which WooCommerce sets when the whole is refunded: https://woocommerce.com/document/woocommerce-refunds/
 */
export const largerRefunds = (order: ShopOrder, own: readonly OrderRefund[]): RefundsOfShop | RefundsUnread => {
  const { total, refunds: listed, isRefunded, modifiedAt } = order;
  const sums = [own, listed].map((refunds) => sumOfRefunds(refunds, total.currency));
  const [ownSum = 0n, listedSum = 0n] = sums;
  if (order.hasUnstated && ownSum + listedSum === 0n && !isRefunded) {
    return { unread: 'refunds: the list of orders states one without its amount, and the refunds have none.' };
  }
  const isListed = listedSum > ownSum ? listedSum <= total.minor : ownSum > total.minor && listedSum > 0n;
  const whole = refundFrom(total, modifiedAt, '');
  const refunds = isListed ? listed : isRefunded && ownSum === 0n && whole ? [whole] : own;
  if (ownSum === listedSum && !(isRefunded && ownSum === 0n)) return { refunds };
  const [ownText, listText, used] = [ownSum, listedSum, sumOfRefunds(refunds, total.currency)].map((minor) =>
    formatAmount({ minor, currency: total.currency }),
  );
  const words = `the list of orders states ${listText} refunded, the refunds ${ownText}; ${used} counts.`;
  return { refunds, contradiction: words };
};
