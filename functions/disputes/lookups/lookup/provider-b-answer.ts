import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import type { Order, OrderAddress, OrderContent } from '#payments/orders/order.ts';
import type { Ce3 } from '../evidence/ce3.ts';
import type { ShownOrder } from './audience.ts';

/** The answers to provider_b. Its full data dictionary is only for its partners; the names here are those in docs/orders.md. */

const text = v.string();
const texts = v.record(v.string(), v.unknown());

export const ProviderBAnswer = v.object({
  insightId: describeField(text, 'The provider’s number of the look-up.'),
  transactionRequestId: describeField(text, 'The provider’s number of the request.'),
  status: describeField(v.literal('FOUND'), 'FOUND, NOT_FOUND or MULTIPLE_FOUND.'),
  receipt: describeField(
    v.looseObject({
      orderNumber: describeField(text, 'Your own number of the order.'),
      purchaseDate: describeField(text, 'When it was bought.'),
      total: describeField(text, 'What was paid.'),
      currency: describeField(text, 'ISO 4217, three letters.'),
    }),
    'The purchase, as a receipt shows it.',
  ),
  paymentInformation: describeField(texts, 'The card, and what the payment consists of.'),
  purchasedProducts: describeField(
    v.array(
      v.looseObject({
        name: describeField(text, 'The name.'),
        quantity: describeField(text, 'How many.'),
        price: describeField(text, 'The price of one.'),
      }),
    ),
    'What was bought.',
  ),
  customerInformation: describeField(v.optional(texts), 'Who bought.'),
  shippingInformation: describeField(v.optional(v.array(texts)), 'Where it went.'),
  merchantInformation: describeField(texts, 'How the shop is shown.'),
  compellingEvidence: describeField(
    v.optional(
      v.object({
        qualified: describeField(v.literal(true), 'Whether it qualifies as Compelling Evidence 3.0.'),
        matched: describeField(v.array(text), 'What the earlier transactions have in common with the disputed one.'),
        disputed: describeField(texts, 'The disputed transaction.'),
        priorTransactions: describeField(
          v.array(
            v.looseObject({
              transactionDate: describeField(text, 'When the transaction was made.'),
              amount: describeField(text, 'A decimal with as many places as the currency has.'),
              currency: describeField(text, 'ISO 4217, three letters.'),
            }),
          ),
          'Earlier transactions that were not disputed.',
        ),
      }),
    ),
    'What speaks for the merchant.',
  ),
});
export type ProviderBAnswer = v.InferOutput<typeof ProviderBAnswer>;

/** Sent with 404, as this provider's partners do. */
export const ProviderBWithout = v.object({
  insightId: describeField(text, 'The provider’s number of the look-up.'),
  transactionRequestId: describeField(text, 'The provider’s number of the request.'),
  status: describeField(v.picklist(['NOT_FOUND', 'MULTIPLE_FOUND']), 'FOUND, NOT_FOUND or MULTIPLE_FOUND.'),
});
export type ProviderBWithout = v.InferOutput<typeof ProviderBWithout>;

type Ids = { insightId: string; transactionRequestId: string };

/** That no order was found, or several. */
export const withoutOrderB = (isMany: boolean, { insightId, transactionRequestId }: Ids): ProviderBWithout => ({
  insightId,
  transactionRequestId,
  status: isMany ? 'MULTIPLE_FOUND' : 'NOT_FOUND',
});

type Fields = Readonly<Record<string, unknown>>;

/** Without fields that have no value. */
const dropEmpty = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
const nonEmpty = (fields: Fields): Record<string, unknown> | undefined => {
  const kept = dropEmpty(fields);
  return Object.keys(kept).length === 0 ? undefined : kept;
};

/** The answer that shows an order. `ce3`: evidence, where it was asked for. */
export const answerOfProviderB = (
  order: ShownOrder,
  { insightId, transactionRequestId }: Ids,
  ce3: Ce3 | null,
): ProviderBAnswer =>
  v.parse(
    ProviderBAnswer,
    dropEmpty({
      insightId,
      transactionRequestId,
      status: 'FOUND',
      receipt: receiptPart(order),
      paymentInformation: payPart(order),
      purchasedProducts: order.items.map((item) =>
        dropEmpty({
          name: item.name,
          quantity: item.quantity,
          price: item.amount_unit,
          sku: item.sku,
          imageUrl: item.image_url,
          url: item.url,
          description: item.description,
          type: item.type,
        }),
      ),
      customerInformation: nonEmpty({
        firstName: order.firstName,
        lastName: order.lastName,
        email: order.email,
        phone: order.phone,
        accountId: order.account?.account_id,
        accountCreatedAt: order.account?.account_created_at,
        lastLoginAt: order.account?.last_login_at,
        authentication: order.account?.authentication,
      }),
      shippingInformation: shipParts(order),
      merchantInformation: sellerPart(order),
      compellingEvidence: ce3?.qualified ? ce3Part(ce3) : undefined,
    }),
  );

const receiptPart = (order: ShownOrder) =>
  dropEmpty({
    orderNumber: order.reference,
    purchaseDate: order.orderDate,
    subTotal: order.subtotal,
    shippingTotal: order.shippingAmount,
    taxTotal: order.tax,
    discountTotal: order.coupon,
    total: order.total,
    currency: order.currency,
    voided: order.voided ? true : undefined,
    refunds: order.refunds.map(({ amount, currency, at, reference }) =>
      dropEmpty({ amount, currency, date: at, reference }),
    ),
    receiptUrl: order.links.receipt ?? order.links.order,
    subscription:
      order.subscription &&
      dropEmpty({
        interval: order.subscription.interval,
        nextBillingDate: order.subscription.next_billing_at,
        trialEndDate: order.subscription.trial_ends_at,
        cancelledDate: order.subscription.cancelled_at,
        cancelUrl: order.subscription.cancel_url ?? order.links.cancel,
      }),
  });

const payPart = ({ card, arn, authCode, descriptor, transactionDate }: ShownOrder) =>
  dropEmpty({
    paymentType: card.type,
    cardBin: card.first6,
    cardLast4: card.last4,
    arn,
    authCode,
    descriptor,
    transactionDate,
  });

/** One entry per delivery; if nothing was sent yet, one with the destination. */
const shipParts = ({ deliveries, shipping }: ShownOrder): Record<string, unknown>[] | undefined => {
  const address = shipping ? placePart(shipping) : undefined;
  const entries = deliveries.map(({ shipped_at, delivered_at, downloaded_at, tracking_number, ...delivery }) =>
    dropEmpty({
      type: delivery.type,
      status: delivery.status,
      carrier: delivery.provider,
      address,
      trackingNumber: tracking_number,
      trackingUrl: delivery.tracking_url,
      shippedDate: shipped_at,
      deliveredDate: delivered_at,
      downloadedDate: downloaded_at,
      signedBy: delivery.signed_by,
      ip: delivery.ip,
    }),
  );
  if (entries.length > 0) return entries;
  return address && Object.keys(address).length > 0 ? [{ address }] : undefined;
};

const placePart = ({ address, suburb_city, state, postcode, country, name }: OrderAddress) =>
  dropEmpty({ name, line1: address, city: suburb_city, state, postalCode: postcode, country });

const sellerPart = ({ profile, links }: ShownOrder) =>
  dropEmpty({
    name: profile.display_name,
    logoUrl: profile.logo_url,
    phone: profile.support_phone,
    email: profile.support_email,
    url: links.contact ?? profile.support_url,
    address: profile.address && nonEmpty(placePart(profile.address)),
    latitude: profile.geo?.latitude,
    longitude: profile.geo?.longitude,
    refundPolicy: profile.refund_policy,
    refundPolicyUrl: links.refund_policy ?? profile.refund_policy_url,
    termsUrl: links.terms ?? profile.terms_url,
  });

/** Describes the bought items in one line. */
export const sayItems = ({ items }: Pick<OrderContent, 'items'>): string => {
  const line = items.map(({ name, quantity }) => (quantity === '1' ? name : `${quantity} × ${name}`)).join(', ');
  return line.length <= 250 ? line : `${[...line].slice(0, 249).join('')}…`;
};

const tracePart = ({ content }: Order) =>
  dropEmpty({
    ip: content.device?.ip,
    deviceId: content.device?.device_id,
    deviceFingerprint: content.device?.device_fingerprint,
    accountId: content.customer?.account_id,
    shippingAddress: content.shipping && nonEmpty(placePart(content.shipping)),
    description: sayItems(content),
  });

const ce3Part = ({ matched, disputed, priors }: Extract<Ce3, { qualified: true }>) => ({
  qualified: true as const,
  matched: [...matched],
  disputed: tracePart(disputed),
  priorTransactions: priors.map((prior) =>
    dropEmpty({
      arn: prior.content.arn,
      transactionDate: prior.content.transaction_date,
      amount: prior.content.amount,
      currency: prior.content.currency,
      ...tracePart(prior),
    }),
  ),
});
