import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import type { OrderAddress } from '#payments/orders/order.ts';
import type { ShownDelivery, ShownOrder } from './audience.ts';

/** The answers to provider_a: names and lengths of Ethoca Consumer Clarity for Merchant Transactions 4.2.0. */

const text = v.string();
const texts = v.record(v.string(), v.unknown());

/** The answer; parts that are absent are unknown. */
export const ProviderAAnswer = v.object({
  responseStatus: describeField(
    v.object({
      code: describeField(
        v.picklist(['TRANSACTION_FOUND', 'TRANSACTION_NOT_FOUND', 'MULTIPLE_TRANSACTIONS_FOUND']),
        'The code.',
      ),
      message: describeField(text, 'The same in words.'),
      trackingId: describeField(v.optional(text), 'Our number of the look-up.'),
    }),
    'Whether an order was found.',
  ),
  order: describeField(
    v.optional(
      v.looseObject({
        merchantOrderId: describeField(text, 'Your own number of the order.'),
        orderDateTime: describeField(text, 'When it was ordered.'),
        subtotal: describeField(text, 'The items’ sum.'),
        total: describeField(text, 'What was paid.'),
        currencyCode: describeField(text, 'ISO 4217, three letters.'),
        orderItems: describeField(
          v.array(
            v.looseObject({
              id: describeField(text, 'The number of the item within the order.'),
              productName: describeField(text, 'What it is called.'),
              unitOfMeasurement: describeField(text, 'The unit of the quantity.'),
            }),
          ),
          'What was bought.',
        ),
      }),
    ),
    'The order that was found.',
  ),
  merchantProfile: describeField(v.optional(texts), 'How the shop is shown.'),
  accountProfile: describeField(v.optional(texts), 'The customer’s account.'),
});
export type ProviderAAnswer = v.InferOutput<typeof ProviderAAnswer>;

const messages = {
  TRANSACTION_FOUND: 'The order was found',
  TRANSACTION_NOT_FOUND: 'No order fits what was asked',
  MULTIPLE_TRANSACTIONS_FOUND: 'Several orders fit what was asked',
} as const;

const replyHead = (code: keyof typeof messages, trackingId: string) => ({
  responseStatus: { code, message: messages[code], trackingId: clip(trackingId, 201) },
});

/** That no order was found, or several. */
export const withoutOrderA = (isMany: boolean, trackingId: string): ProviderAAnswer =>
  replyHead(isMany ? 'MULTIPLE_TRANSACTIONS_FOUND' : 'TRANSACTION_NOT_FOUND', trackingId);

/** At most as many characters as the provider takes. */
const clip = (value: string, most: number): string => [...value].slice(0, most).join('');
const clipOr = (value: string | null | undefined, most: number): string | undefined =>
  value === null || value === undefined || value === '' ? undefined : clip(value, most);

/** A value of exactly the length that the provider demands, or nothing. */
const exactly = (value: string | null, length: number): string | undefined =>
  value?.length === length ? value : undefined;

/** `2026-04-30T08:15:00Z`: without milliseconds. */
const seconds = (at: string): string => `${at.slice(0, 19)}Z`;
const secondsOr = (at: string | undefined): string | undefined => (at === undefined ? undefined : seconds(at));

/** Leaves out fields without a value, at every depth, and objects and lists that would be empty. */
const compact = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(compact).filter((one) => one !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, one]) => {
    const kept = compact(one);
    return kept === undefined || kept === null ? [] : [[name, kept] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
};

/** The provider knows no others. */
const networkNames: Readonly<Record<string, string>> = {
  VISA: 'VISA',
  MASTERCARD: 'MC',
  AMEX: 'AMEX',
  DISCOVER: 'DISCOVER',
};

/** The answer that shows an order. */
export const answerOfProviderA = (order: ShownOrder, trackingId: string): ProviderAAnswer =>
  v.parse(ProviderAAnswer, {
    ...replyHead('TRANSACTION_FOUND', trackingId),
    order: compact(orderPart(order)),
    merchantProfile: compact(shopPart(order)),
    accountProfile: compact(userPart(order)),
  });

const orderPart = (order: ShownOrder) => ({
  merchantOrderId: clip(order.reference, 50),
  orderDateTime: seconds(order.orderDate),
  ...(order.voided && { orderStatus: 'Closed_Canceled' }),
  subtotal: order.subtotal,
  shippingHandling: order.shippingAmount,
  tax: order.tax,
  total: order.total,
  currencyCode: order.currency,
  orderRecipientName: nameDto(order),
  orderEmail: order.email,
  orderPhone: order.phone,
  orderItems: order.items.map((item, index) => ({
    id: String(index + 1),
    productName: clip(item.name, 100),
    productDescription: item.description,
    quantity: item.quantity,
    unitOfMeasurement: item.unit ?? 'each',
    productPrice: item.amount_unit,
    productSku: item.sku,
    productType: item.type,
    linkToItemPurchased: item.url,
    ...(index === 0 && { recurring: planPart(order) }),
  })),
  payments: [paidPart(order)],
  deliveries: order.deliveries.map((delivery, index) => deliverPart(delivery, index, order)),
  refunds: order.refunds.map((refund, index) => ({
    id: String(index + 1),
    referenceNumber: refund.reference,
    refundDateTime: seconds(refund.at),
    cardLastFour: order.card.last4,
    total: refund.amount,
  })),
  discounts: order.coupon === null ? undefined : [{ id: '1', description: 'Coupon', amount: order.coupon }],
  transactionDetails: order.device && {
    deviceIpAddress: order.device.ip,
    orderDeviceId: clipOr(order.device.device_id, 40),
    orderDeviceFingerprint: atLeast(order.device.device_fingerprint, 20),
    deviceType: order.device.type,
    appSourceBrowserType: clipOr(order.device.user_agent, 45),
  },
  callToActionLinks: linkPart(order),
});

const atLeast = (value: string | undefined, shortest: number): string | undefined =>
  value !== undefined && value.length >= shortest ? value : undefined;

const paidPart = ({ card, paid, ...order }: ShownOrder) => ({
  id: '1',
  matchedPayment: true,
  paymentType: networkNames[card.type],
  cardFirstSix: card.first6,
  cardLastFour: card.last4,
  paymentAmount: paid,
  acquirerReferenceNumber: order.arn,
  issuerAuthorizationCode: exactly(order.authCode, 6),
  transactionIdentifierValue: order.networkTransactionId,
  authorizationDateTime: seconds(order.transactionDate),
  transactionType: 'Sale',
  merchantBillingDescriptor: clipOr(order.descriptor, 24),
});

/** The provider has no status for arrived orders: the state is described in words, with the status `Other`. */
const deliveryStates: Readonly<Record<ShownDelivery['status'], string>> = {
  not_shipped: 'Not_Shipped',
  shipped: 'Shipped',
  in_transit: 'In_Transit',
  delivered: 'Other',
  pickup: 'Pickup',
  exception: 'Shipping_Exception',
  cancelled: 'Cancelled',
};

const deliverPart = (delivery: ShownDelivery, index: number, { shipping, ...order }: ShownOrder) => ({
  id: String(index + 1),
  ...(delivery.type === 'digital'
    ? {
        digitalDelivery: {
          digitalDeliveryDateTime: secondsOr(delivery.delivered_at ?? delivery.downloaded_at),
          downloadCompletionDateTime: secondsOr(delivery.downloaded_at),
          digitalDeliveryIpAddress: delivery.ip,
        },
      }
    : {
        physicalDelivery: {
          trackingNumber: delivery.tracking_number,
          deliveryProvider: delivery.provider,
          deliveryStatus: deliveryStates[delivery.status],
          ...(delivery.status === 'delivered' && { descriptionOfOtherStatus: 'Delivered' }),
          dateShipped: secondsOr(delivery.shipped_at),
          dateDelivered: secondsOr(delivery.delivered_at),
          ...(delivery.signed_by !== undefined && { proofOfDeliverySigned: true }),
          proofOfDeliverySignedBy: delivery.signed_by,
          ...(delivery.type === 'pickup' && { customerPickup: true }),
          shippingName: nameDto(order),
          shippingAddress: addressPart(shipping),
        },
      }),
});

const nameDto = ({ firstName, lastName }: Pick<ShownOrder, 'firstName' | 'lastName'>) => ({
  givenName: clipOr(firstName, 40),
  familyName: clipOr(lastName, 80),
});

const lineLength = 100;

const addressPart = (address: OrderAddress | null | undefined) => {
  const { address: line = '', suburb_city: city, state, postcode, country } = address ?? {};
  const part = (index: number) => clipOr([...line].slice(index * lineLength).join(''), lineLength);
  return {
    line1: part(0),
    line2: part(1),
    line3: part(2),
    city,
    countrySubdivision: clipOr(state, 80),
    postalCode: clipOr(postcode, 10),
    country,
  };
};

const planPart = ({ subscription, links, profile }: ShownOrder) =>
  subscription && {
    subscriptionStatus: subscription.cancelled_at === undefined ? 'Active' : 'Cancelled',
    subscriptionNextBillingDateTime: secondsOr(subscription.next_billing_at),
    trialEndDateTime: secondsOr(subscription.trial_ends_at),
    subscriptionCancellationDateTime: secondsOr(subscription.cancelled_at),
    subscriptionCancellationPolicyLink: subscription.cancel_url ?? links.cancel ?? profile.cancellation_policy_url,
  };

const linkPart = ({ links }: ShownOrder) => {
  const url = links.receipt ?? links.order;
  return url === undefined ? undefined : [{ linkUrl: url, linkType: 'VIEW_ORDER' }];
};

const shopPart = ({ profile, links }: ShownOrder) => ({
  name: profile.display_name,
  logoUrl: profile.logo_url,
  refundPolicyRecap: profile.refund_policy,
  refundPolicyLink: links.refund_policy ?? profile.refund_policy_url,
  termsAndConditionsLink: links.terms ?? profile.terms_url,
  cancellationPolicyLink: links.cancel ?? profile.cancellation_policy_url,
  merchantCustomerServiceContact: {
    phoneNumber: clipOr(profile.support_phone, 30),
    email: clipOr(profile.support_email, 200),
    website: short(links.contact ?? profile.support_url, 100),
    address: { ...addressPart(profile.address), ...geoPart(profile.geo) },
  },
});

/** A web address that is cut short leads nowhere. */
const short = (value: string | undefined, most: number): string | undefined =>
  value !== undefined && value.length <= most ? value : undefined;

const geoPart = (geo: { latitude: number; longitude: number } | undefined) =>
  geo && { latitude: geo.latitude.toFixed(6), longitude: geo.longitude.toFixed(6) };

const userPart = ({ account, earlier, currency, ...order }: ShownOrder) => ({
  ...(account && {
    name: nameDto(order),
    email: order.email,
    phone: order.phone,
    userIdName: account.account_id,
    accountCreationDateTime: secondsOr(account.account_created_at),
    lastLoginDateTime: secondsOr(account.last_login_at),
    accountAuthenticationConducted: account.authentication,
  }),
  historicOrders:
    earlier.length === 0
      ? undefined
      : earlier.map(({ order: one, sameCard, sameIp, sameDevice }) => ({
          orderId: one.content.reference,
          orderDateTime: seconds(one.content.order_date),
          orderTotal: one.content.amount,
          currencyCode: one.content.currency,
          deviceIpAddress: one.content.device?.ip,
          primaryDeviceId: clipOr(one.content.device?.device_id, 40),
          matchCreditCard: sameCard,
          matchIpAddress: sameIp,
          matchDeviceId: sameDevice,
        })),
});
