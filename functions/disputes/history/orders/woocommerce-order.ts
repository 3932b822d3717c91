import * as v from 'valibot';
import { iso } from '#core/kernel/clock.ts';
import { exponentOf, formatAmount, type Money, usualExponent } from '#core/kernel/money/money.ts';
import type { OrderRefund } from '#payments/orders/order.ts';
import { cleanText, partsOfTotal, readMoney, refundFrom, type ShopOrder } from './shop-order.ts';

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

const LineItem = v.object({
  name: text,
  quantity: v.number(),
  subtotal: v.string(),
  sku: text,
});

const WooOrder = v.object({
  id: v.number(),
  number: v.string(),
  status: v.string(),
  currency: v.pipe(v.string(), v.length(3)),
  date_created_gmt: Gmt,
  date_modified_gmt: Gmt,
  date_paid_gmt: v.nullish(Gmt),
  total: v.string(),
  total_tax: v.string(),
  shipping_total: v.string(),
  discount_total: v.string(),
  customer_id: v.nullish(v.number(), 0),
  customer_ip_address: text,
  customer_user_agent: text,
  billing: Address,
  shipping: Address,
  transaction_id: text,
  line_items: v.array(LineItem),
  refunds: v.nullish(v.array(v.unknown()), []),
});
type WooOrder = v.InferOutput<typeof WooOrder>;

/** The fields that are read of an order: the parameter `_fields` keeps the answer small. */
export const wooOrderFields = Object.keys(WooOrder.entries).join(',');

/** Orders that were never paid, or whose sale was called off. Plugins add states, so others count by their date of payment. */
const unpaidStates = ['pending', 'failed', 'cancelled', 'trash', 'checkout-draft', 'auto-draft'];

const placeOf = (address: NonNullable<Address>) => ({
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
const itemOf = ({ name, quantity, subtotal, sku }: WooOrder['line_items'][number], currency: string) => {
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

const fieldsOf = (order: WooOrder, total: Money): ShopOrder['fields'] => ({
  order_date: order.date_created_gmt,
  transaction_date: order.date_paid_gmt ?? order.date_created_gmt,
  amount: formatAmount(total),
  currency: total.currency,
  ...partsOfTotal(total, [order.total_tax, order.shipping_total, order.discount_total]),
  items: order.line_items.flatMap((line) => itemOf(line, total.currency)),
  customer: {
    ...(order.customer_id && { account_id: String(order.customer_id) }),
    firstname: cleanText(order.billing?.first_name, 100),
    lastname: cleanText(order.billing?.last_name, 100),
    email: order.billing?.email || undefined,
    phone: cleanText(order.billing?.phone, 40),
  },
  device: { ip: order.customer_ip_address || undefined, user_agent: cleanText(order.customer_user_agent, 500) },
  ...(order.billing && { billing: placeOf(order.billing) }),
  ...(order.shipping?.address_1 && { shipping: placeOf(order.shipping) }),
});

/** An order; undefined if its shape is not known. */
export const readWooOrder = (body: unknown): ShopOrder | undefined => {
  const { success, output: order } = v.safeParse(WooOrder, body);
  if (!success) return undefined;
  const total = readMoney(order.total, order.currency);
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
    fields: total ? fieldsOf(order, total) : {},
  };
};

/** https://woocommerce.github.io/woocommerce-rest-api-docs/#order-refund-properties */
const WooRefund = v.object({ id: v.number(), date_created_gmt: Gmt, amount: v.string() });

/** The refunds of an order; undefined if their shape is not known. */
export const readWooRefunds = (body: unknown, currency: string): OrderRefund[] | undefined => {
  const { success, output } = v.safeParse(v.array(WooRefund), body);
  if (!success) return undefined;
  return output.flatMap(({ id, date_created_gmt: at, amount }) => {
    const refund = refundFrom(readMoney(amount, currency), at, String(id));
    return refund ? [refund] : [];
  });
};
