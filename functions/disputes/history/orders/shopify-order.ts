import * as v from 'valibot';
import { schemeOf } from '#core/kernel/card/card.ts';
import { formatAmount, type Money } from '#core/kernel/money/money.ts';
import { deviceFromToken, deviceTokenName } from '#payments/orders/device/device-token.ts';
import type { OrderRefund } from '#payments/orders/order.ts';
import { SentTime } from '#payments/processors/ports/outside-data.ts';
import {
  chargeOfRefund,
  isByCard,
  isShopifyRefund,
  isTaken,
  ownCharges,
  referenceIn,
  ShopifyMoney,
  ShopifyTransaction,
  shopifyCandidateOf,
} from '#payments/processors/shopify/shopify-orders.ts';
import { cleanText, type OrderCard, partsOfTotal, refundFrom, refusedField, type ShopOrder } from './shop-order.ts';

/** Orders of Shopify: https://shopify.dev/docs/api/admin-graphql/latest/objects/Order. Pure. */

const text = v.nullish(v.string(), '');
const Amount = v.object({ presentmentMoney: ShopifyMoney });

/** https://shopify.dev/docs/api/admin-graphql/latest/objects/MailingAddress */
const Address = v.nullish(
  v.object({
    ...{ name: text, firstName: text, lastName: text, address1: text, address2: text, city: text },
    ...{ provinceCode: text, countryCodeV2: text, zip: text, phone: text },
  }),
);
type Address = v.InferOutput<typeof Address>;

/** https://shopify.dev/docs/api/admin-graphql/latest/objects/LineItem */
const LineItem = v.object({ title: text, quantity: v.number(), sku: text, originalUnitPriceSet: Amount });

/** https://shopify.dev/docs/api/admin-graphql/latest/objects/Fulfillment */
const Fulfillment = v.object({
  status: text,
  createdAt: SentTime,
  deliveredAt: v.nullish(SentTime),
  trackingInfo: v.array(v.object({ company: text, number: text, url: text })),
});

const SoldOrder = v.object({
  id: v.string(),
  name: v.string(),
  test: v.boolean(),
  createdAt: SentTime,
  updatedAt: SentTime,
  cancelledAt: v.nullish(SentTime),
  email: text,
  clientIp: text,
  customAttributes: v.nullish(v.array(v.object({ key: v.string(), value: text })), []),
  totalPriceSet: Amount,
  totalShippingPriceSet: Amount,
  totalTaxSet: v.nullish(Amount),
  totalDiscountsSet: v.nullish(Amount),
  billingAddress: Address,
  shippingAddress: Address,
  lineItems: v.object({ nodes: v.array(LineItem) }),
  fulfillments: v.array(Fulfillment),
  transactions: v.array(ShopifyTransaction),
});
type SoldOrder = v.InferOutput<typeof SoldOrder>;

const shopifyPlace = (address: NonNullable<Address>) => ({
  name: cleanText(address.name, 200),
  address: cleanText([address.address1, address.address2].filter(Boolean).join(', '), 300),
  suburb_city: cleanText(address.city, 100),
  state: cleanText(address.provinceCode, 100),
  country: cleanText(address.countryCodeV2, 2),
  postcode: cleanText(address.zip, 20),
});

const toDelivery = ({ status, createdAt, deliveredAt, trackingInfo: [tracking] }: v.InferOutput<typeof Fulfillment>) =>
  status === 'SUCCESS'
    ? [
        {
          ...{ type: 'physical', status: deliveredAt ? 'delivered' : 'shipped', shipped_at: createdAt },
          ...(deliveredAt && { delivered_at: deliveredAt }),
          provider: cleanText(tracking?.company, 45),
          tracking_number: cleanText(tracking?.number, 255),
          tracking_url: tracking?.url || undefined,
        },
      ]
    : [];

const shopAmount = (amount: v.InferOutput<typeof Amount> | null | undefined): string =>
  amount ? formatAmount(amount.presentmentMoney) : '0';

const soldFields = (order: SoldOrder, total: Money, paidAt: string): ShopOrder['fields'] => ({
  order_date: order.createdAt,
  transaction_date: paidAt,
  amount: formatAmount(total),
  currency: total.currency,
  ...partsOfTotal(total, [
    shopAmount(order.totalTaxSet),
    shopAmount(order.totalShippingPriceSet),
    shopAmount(order.totalDiscountsSet),
  ]),
  items: order.lineItems.nodes.flatMap(({ title, quantity, sku, originalUnitPriceSet }) =>
    quantity > 0
      ? [
          {
            name: cleanText(title, 100) ?? 'Item',
            quantity: String(quantity),
            amount_unit: shopAmount(originalUnitPriceSet),
            sku: cleanText(sku, 100),
          },
        ]
      : [],
  ),
  customer: {
    firstname: cleanText(order.billingAddress?.firstName, 100),
    lastname: cleanText(order.billingAddress?.lastName, 100),
    email: order.email || undefined,
    phone: cleanText(order.billingAddress?.phone, 40),
  },
  device: {
    ...deviceFromToken(order.customAttributes?.find(({ key }) => key === deviceTokenName)?.value, order.name),
    ip: order.clientIp || undefined,
  },
  ...(order.billingAddress && { billing: shopifyPlace(order.billingAddress) }),
  ...(order.shippingAddress && { shipping: shopifyPlace(order.shippingAddress) }),
  deliveries: order.fulfillments.flatMap(toDelivery),
});

/** The refunds to cards, each with the charge that it was made of where that is certain and among the named ones. */
const shopRefunds = (
  { transactions }: SoldOrder,
  charges: readonly ShopifyTransaction[],
  named: ReturnType<typeof splitSum> = [],
): OrderRefund[] =>
  transactions.filter(isShopifyRefund).flatMap((one) => {
    const { id, amountSet, processedAt, createdAt } = one;
    const made = chargeOfRefund(one, charges);
    const charge = named.find(({ reference }) => made && reference === referenceIn(made.id))?.reference;
    const refund = refundFrom(amountSet.presentmentMoney, processedAt ?? createdAt, referenceIn(id));
    return refund && (made || isByCard(one)) ? [{ ...refund, ...(charge !== undefined && { charge }) }] : [];
  });

type ShopifyCharge = ReturnType<typeof shopifyCandidateOf>;

/** The charges to cards, where the order was not charged whole to one card; else none. */
const splitSum = (charges: readonly ShopifyCharge[], total: Money) => {
  const [first, ...more] = charges;
  if (!first || (more.length === 0 && first.money.minor === total.minor && first.money.currency === total.currency)) {
    return undefined;
  }
  return charges.flatMap((charge) => {
    const { first6, last4, brand = schemeOf(first6), date: at, reference, authCode } = charge;
    if (first6 === '' || brand === undefined || charge.money.currency !== total.currency) return [];
    return [
      {
        ...{ amount: formatAmount(charge.money), at, reference, card_firstsix: first6, card_lastfour: last4 },
        ...{ card_type: brand, ...(authCode !== null && { auth_code: authCode }) },
      },
    ];
  });
};

/** An order of a connected shop, or its first field that has another form than documented. Orders of test payments are not paid. */
export const readSoldOrder = (body: unknown, connection: string): ShopOrder | string => {
  const { success, output: order, issues } = v.safeParse(SoldOrder, body);
  if (!success) return refusedField(issues, 'order');
  const made = ownCharges(order).toSorted((one, other) => (paidTime(one) < paidTime(other) ? -1 : 1));
  const charges = made.map((one) => shopifyCandidateOf(one, order)).filter(({ captured }) => captured > 0n);
  const charge = charges.find(({ first6 }) => first6 !== '') ?? charges[0];
  const total = order.totalPriceSet.presentmentMoney;
  const parts = splitSum(charges, total);
  const refunds = shopRefunds(order, made, parts);
  return {
    ...{ shopId: order.id, reference: order.name.trim(), modifiedAt: order.updatedAt, total, charge: '', refunds },
    isPaid: isTaken(order) && !order.test && !order.cancelledAt,
    card: charge ? orderCard(charge, connection) : null,
    hasRefunds: refunds.length > 0,
    fields: { ...soldFields(order, total, charge?.date ?? order.createdAt), charges: parts },
  };
};

const paidTime = ({ processedAt, createdAt }: ShopifyTransaction): string => processedAt ?? createdAt;

const orderCard = (
  { first6, last4, brand = schemeOf(first6), authCode, reference }: ShopifyCharge,
  connection: string,
): OrderCard | null =>
  first6 === '' || last4 === '' || brand === undefined
    ? null
    : {
        ...{ first6, last4, card_type: brand, processor: { connection, reference } },
        ...(authCode !== null && { auth_code: authCode }),
      };

/** The orders of an answer and their place in the list; undefined if its shape is not known. */
export const readSoldOrders = (body: unknown) => {
  const { success, output } = v.safeParse(
    v.object({
      orders: v.object({
        nodes: v.array(v.unknown()),
        edges: v.optional(v.array(v.object({ cursor: v.string() })), []),
        pageInfo: v.object({ hasNextPage: v.boolean(), endCursor: v.nullish(v.string(), null) }),
      }),
    }),
    body,
  );
  return success ? output.orders : undefined;
};
