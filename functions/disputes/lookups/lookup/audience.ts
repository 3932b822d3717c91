import type { ShopProfile } from '#accounts/merchants/settings/order-profile.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import { recordNames } from '#core/kernel/record-of.ts';
import { chargedAmountOf } from '#payments/orders/charges/order-charges.ts';
import {
  type Order,
  type OrderAddress,
  type OrderContent,
  type OrderRefund,
  orderRefunds,
  subtotalMinor,
} from '#payments/orders/order.ts';
import type { HistoricOrder } from '../evidence/ce3.ts';

/** The fields of an order that each channel may see. Providers' answers are made only from what this file returns. */

/** The viewers: the cardholder in their bank's app, an agent of the bank, or the network that weighs evidence. */
export const audiences = ['cardholder', 'agent', 'evidence'] as const;
export type Audience = (typeof audiences)[number];

type How = 'yes' | 'masked' | 'part' | 'no';

/** `part`: of a name the given name; of an address the town and country. */
export const visibility = {
  purchase: { cardholder: 'yes', agent: 'yes', evidence: 'yes' },
  name: { cardholder: 'part', agent: 'yes', evidence: 'yes' },
  contact: { cardholder: 'no', agent: 'masked', evidence: 'masked' },
  shipping: { cardholder: 'part', agent: 'part', evidence: 'yes' },
  account: { cardholder: 'no', agent: 'no', evidence: 'yes' },
  device: { cardholder: 'no', agent: 'no', evidence: 'yes' },
  earlierOrders: { cardholder: 'no', agent: 'no', evidence: 'yes' },
} as const satisfies Readonly<Record<string, Readonly<Record<Audience, How>>>>;

type Group = keyof typeof visibility;

/** An order as one audience sees it; what it may not see is null or empty. */
export type ShownOrder = {
  orderId: number;
  reference: string;
  orderDate: string;
  transactionDate: string;
  currency: string;
  subtotal: string;
  shippingAmount: string | null;
  tax: string | null;
  coupon: string | null;
  total: string;
  /** The amount that was charged to this card. */
  paid: string;
  items: OrderContent['items'];
  card: { first6: string; last4: string; type: OrderContent['card_type'] };
  arn: string | null;
  authCode: string | null;
  networkTransactionId: string | null;
  descriptor: string | null;
  caid: string | null;
  refunds: readonly OrderRefund[];
  /** The authorisation was given up before it was captured. */
  voided: boolean;
  deliveries: readonly ShownDelivery[];
  subscription: OrderContent['subscription'] | null;
  links: NonNullable<OrderContent['links']>;
  profile: ShopProfile;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  shipping: OrderAddress | null;
  account: ShownAccount | null;
  device: NonNullable<OrderContent['device']> | null;
  earlier: readonly HistoricOrder[];
};

export type ShownDelivery = NonNullable<OrderContent['deliveries']>[number];
type ShownAccount = Pick<
  NonNullable<OrderContent['customer']>,
  'account_id' | 'account_created_at' | 'last_login_at' | 'authentication'
>;

const how = (group: Group, audience: Audience): How => visibility[group][audience];

/** `j***@example.com`. */
export const maskEmail = (email: string): string => {
  const at = email.lastIndexOf('@');
  return at < 1 ? '***' : `${email.slice(0, 1)}***${email.slice(at)}`;
};

/** Stars in place of all digits but the last two. */
export const maskPhone = (phone: string): string => {
  const digits = phone.replace(/\D/g, '');
  return digits.length < 6 ? '***' : `${'*'.repeat(digits.length - 2)}${digits.slice(-2)}`;
};

const nameFor = ({ customer, shipping }: OrderContent, audience: Audience) => {
  const isWhole = how('name', audience) === 'yes';
  return {
    firstName: customer?.firstname ?? (isWhole ? (shipping?.name ?? null) : null),
    lastName: isWhole ? (customer?.lastname ?? null) : null,
  };
};

const contactFor = ({ customer }: OrderContent, audience: Audience) => {
  const isMasked = how('contact', audience) === 'masked';
  return {
    email: isMasked && customer?.email !== undefined ? maskEmail(customer.email) : null,
    phone: isMasked && customer?.phone !== undefined ? maskPhone(customer.phone) : null,
  };
};

const shippingFor = ({ shipping }: OrderContent, audience: Audience): OrderAddress | null => {
  if (!shipping) return null;
  if (how('shipping', audience) === 'yes') return shipping;
  const { suburb_city, country } = shipping;
  return { ...(suburb_city !== undefined && { suburb_city }), ...(country !== undefined && { country }) };
};

/** Where a delivery was received and who signed for it is about a person, not the parcel. */
const deliveriesFor = ({ deliveries = [] }: OrderContent, audience: Audience): ShownDelivery[] =>
  deliveries.map(({ ip, signed_by, ...rest }) => ({
    ...rest,
    ...(how('name', audience) === 'yes' && signed_by !== undefined && { signed_by }),
    ...(how('device', audience) === 'yes' && ip !== undefined && { ip }),
  }));

const accountFor = ({ customer }: OrderContent, audience: Audience): ShownAccount | null => {
  if (how('account', audience) !== 'yes' || !customer) return null;
  const { account_id, account_created_at, last_login_at, authentication } = customer;
  return { account_id, account_created_at, last_login_at, authentication };
};

/** Which groups of fields an audience saw of an order, for the record of the look-up. */
export const groupsFor = (audience: Audience): Group[] =>
  recordNames(visibility).filter((group) => how(group, audience) !== 'no');

/** The order as an audience may see it. `earlier`: the customer's earlier orders; shown to those who weigh evidence. */
export const orderFor = (order: Order, audience: Audience, earlier: readonly HistoricOrder[]): ShownOrder => {
  const { content } = order;
  return {
    ...boughtItems(order),
    ...nameFor(content, audience),
    ...contactFor(content, audience),
    shipping: shippingFor(content, audience),
    deliveries: deliveriesFor(content, audience),
    account: accountFor(content, audience),
    device: how('device', audience) === 'yes' ? (content.device ?? null) : null,
    earlier: how('earlierOrders', audience) === 'yes' ? earlier : [],
  };
};

/** Returns what all viewers may see: what was bought, from whom, for how much, and by which card. */
const boughtItems = (order: Order) => {
  const { orderId, content, profile, payment } = order;
  const { currency } = content;
  return {
    orderId,
    reference: content.reference,
    orderDate: content.order_date,
    transactionDate: content.transaction_date,
    currency,
    subtotal: formatAmount({ minor: subtotalMinor(content), currency }),
    shippingAmount: content.amount_shipping ?? null,
    tax: content.amount_tax ?? null,
    coupon: content.amount_coupon ?? null,
    total: content.amount,
    paid: chargedAmountOf(content),
    items: content.items,
    card: { first6: content.card_firstsix, last4: content.card_lastfour, type: content.card_type },
    arn: content.arn ?? null,
    authCode: content.auth_code ?? null,
    networkTransactionId: content.network_transaction_id ?? null,
    descriptor: content.descriptor ?? null,
    caid: content.caid ?? null,
    refunds: orderRefunds(order),
    voided: payment?.voided === true,
    subscription: content.subscription ?? null,
    links: content.links ?? {},
    profile,
  };
};
