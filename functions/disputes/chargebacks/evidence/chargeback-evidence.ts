import type { InferOutput } from 'valibot';
import type { Letterhead } from '#accounts/merchants/settings/letterhead.ts';
import type { ShopProfile } from '#accounts/merchants/settings/order-profile.ts';
import type { OrderEvidence } from '#disputes/lookups/api/order-evidence/operation.ts';
import type { AddressOfEvidence, DisputeEvidence, PurchaseOfEvidence } from '#payments/processors/ports/dispute.ts';
import type { FileOfEvidence } from '#payments/processors/ports/evidence-kinds.ts';
import type { TransactionDto } from '#payments/transactions/transaction/transaction-dto-row.ts';
import type { ChargebackDetails } from '../schemas.ts';

/** The evidence against a chargeback, and its form for processors. Pure. */

export type AssembledPayment = TransactionDto & {
  descriptor: string | null;
  email: string | null;
  refunded: string;
  three_ds: ({ source: string } & { [name: string]: unknown }) | null;
};

/** `lines`: address and contact. `policies`: what customers agree to, with its address. */
export type LetterHead = { name: string; lines: string[]; policies: string[] };

/** The head of a letter from the profile of the shop; `name`: where the profile has none. `more`: what only letters say. */
export const letterHeadOf = (
  shop: ShopProfile,
  name: string,
  more?: Pick<Letterhead, 'checkoutTerms' | 'deliveryTerms'>,
): LetterHead => {
  const { address, suburb_city: city, state, postcode, country } = shop.address ?? {};
  const place = [address, [postcode, city].filter(Boolean).join(' '), state, country].filter(Boolean).join(', ');
  const contact = [shop.support_email, shop.support_phone, shop.support_url].filter(Boolean).join(' · ');
  const policies = [
    ...(more?.checkoutTerms ? [`At checkout: ${more.checkoutTerms}`] : []),
    ...(more?.deliveryTerms ? [`Delivery: ${more.deliveryTerms}`] : []),
    ...(shop.terms_url ? [`Terms: ${shop.terms_url}`] : []),
    ...(shop.refund_policy ? [`Refund policy: ${shop.refund_policy}`] : []),
    ...(shop.refund_policy_url ? [`Refund policy: ${shop.refund_policy_url}`] : []),
    ...(shop.cancellation_policy_url ? [`Cancellation policy: ${shop.cancellation_policy_url}`] : []),
  ];
  return { name: shop.display_name ?? name, lines: [place, contact].filter(Boolean), policies };
};

/** As `/evidence` answers it. */
export type Assembled = {
  /** The shop or merchant in the head of the letter. */
  sender: LetterHead;
  chargeback: InferOutput<typeof ChargebackDetails>;
  payment: AssembledPayment | null;
  order_evidence: InferOutput<typeof OrderEvidence> | null;
  /** The letter to the issuer: as a user saved it, or generated from the facts. */
  response: { text: string; is_edited: boolean };
};

/** The facts from which the response is generated. */
type Facts = Omit<Assembled, 'response'>;

type Order = InferOutput<typeof OrderEvidence>['order'];
type Address = Order['shipping'];
type Compared = NonNullable<
  InferOutput<typeof OrderEvidence>['ce3']['stripe']
>['prior_undisputed_transactions'][number];

const onOneLine = (address: Address): string =>
  [address?.name, address?.address, address?.suburb_city, address?.state, address?.postcode, address?.country]
    .filter((part) => part !== undefined && part !== '')
    .join(', ');

const itemText = ({ items }: Order): string =>
  items
    .map(({ name, quantity, description }) => [`${quantity} × ${name}`, description].filter(Boolean).join(': '))
    .join('\n');

/** A day as people write it: `2 May 2026`. */
export const letterDate = (at: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at));

const letterTime = (at: string): string => `${letterDate(at)}, ${new Date(at).toISOString().slice(11, 16)} UTC`;

/** When and from where the goods were used, as far as deliveries and log-ins show. */
const accessLog = ({ deliveries = [], customer }: Order): string =>
  [
    ...deliveries.flatMap(({ downloaded_at: at, ip }) =>
      at ? [`${letterTime(at)}  downloaded${ip ? ` from ${ip}` : ''}`] : [],
    ),
    ...(customer?.last_login_at ? [`${letterTime(customer.last_login_at)}  the customer signed in`] : []),
  ].join('\n');

/** An amount as a letter has it: `$1,234.50`. No other currency than the US dollar is written with a bare `$`. */
const letterAmount = (amount: string, currency: string): string => {
  const digits = amount.split('.')[1]?.length ?? 0;
  const options = {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  } as const;
  return new Intl.NumberFormat('en-US', options).format(amount as Intl.StringNumericLiteral).replaceAll('\u00a0', ' ');
};

const schemeNames: Readonly<Record<string, string>> = {
  ...{ mc: 'Mastercard', amex: 'American Express', american_express: 'American Express', jcb: 'JCB' },
};
const toTitle = (name: string): string => schemeNames[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** A masked card in groups: `Visa card 4000 00xx xxxx 0259`. In ASCII, so that no font is read to see whether the letter can show it. */
const letterCard = (card: string, network: string): string =>
  `${toTitle(network)} card ${card.replaceAll('*', 'x').replaceAll(/.{4}(?=.)/g, '$& ')}`.trim();

const paymentWords = ({ payment, chargeback: { network } }: Facts): string[] => {
  if (!payment) return [];
  const { created_at, amount, currency, card, descriptor, auth_code, arn, fraud, three_ds, refunded } = payment;
  return [
    `The payment of ${letterAmount(amount, currency)}${card ? ` with ${letterCard(card, network)}` : ''} was made on ${letterTime(created_at)}.`,
    ...(descriptor ? [`It appears on the cardholder's statement as "${descriptor}".`] : []),
    ...(auth_code ? [`The issuer authorised it with code ${auth_code}.`] : []),
    ...(arn ? [`Its acquirer reference number is ${arn}.`] : []),
    ...(three_ds ? [`The payer was authenticated by 3-D Secure: ${pairWords(three_ds)}.`] : []),
    ...(fraud ? [`A fraud check accepted it with a score of ${fraud.score} (${fraud.decision}).`] : []),
    ...(Number(refunded) > 0 ? [`${letterAmount(refunded, currency)} of it was refunded.`] : []),
  ];
};

/** Names and values of an authentication in the words of the API, which are those of the protocol. */
const pairWords = (result: Readonly<Record<string, unknown>>): string =>
  Object.entries(result)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${value}`)
    .join(', ');

const deliveryWords = ({ deliveries = [] }: Order): string[] =>
  deliveries.flatMap(({ status, provider, tracking_number, shipped_at, delivered_at, signed_by, tracking_url }) => [
    [
      `Delivery: ${status}`,
      ...(provider ? [`by ${provider}`] : []),
      ...(tracking_number ? [`tracking number ${tracking_number}`] : []),
      ...(shipped_at ? [`shipped ${letterTime(shipped_at)}`] : []),
      ...(delivered_at ? [`delivered ${letterTime(delivered_at)}`] : []),
      ...(signed_by ? [`signed for by ${signed_by}`] : []),
      ...(tracking_url ? [tracking_url] : []),
    ].join(', '),
  ]);

/** The items, the buyer and the delivery address. Only deliveries state that something was sent. */
const purchaseWords = (order: Order): string[] => {
  const { items, customer, device, shipping } = order;
  const name = [customer?.firstname, customer?.lastname].filter(Boolean).join(' ');
  const buyer = [
    ...(name ? [`by ${name}`] : []),
    ...(customer?.email ? [`with the e-mail address ${customer.email}`] : []),
    ...(device?.ip ? [`from the IP address ${device.ip}`] : []),
  ];
  return [
    ...(items.length > 0
      ? [`Bought: ${items.map(({ name: item, quantity }) => `${quantity} × ${item}`).join('; ')}.`]
      : []),
    ...(buyer.length > 0 ? [`It was ordered ${buyer.join(', ')}.`] : []),
    ...(onOneLine(shipping) ? [`Delivery address: ${onOneLine(shipping)}.`] : []),
  ];
};

const orderWords = ({ order_evidence: evidence, sender: { policies } }: Facts): string[] => {
  if (!evidence) return policies;
  const { order, ce3 } = evidence;
  return [
    `Order ${order.reference} of ${letterTime(order.order_date)}: ${letterAmount(order.amount, order.currency)}.`,
    ...purchaseWords(order),
    ...deliveryWords(order),
    ...(order.customer?.account_created_at
      ? [`The customer's account was opened on ${letterTime(order.customer.account_created_at)}.`]
      : []),
    ...new Set([
      ...(order.links?.terms ? [`Terms: ${order.links.terms}`] : []),
      ...(order.links?.refund_policy ? [`Refund policy: ${order.links.refund_policy}`] : []),
      ...policies,
    ]),
    ...(ce3.qualified
      ? [
          `Earlier undisputed purchases with the same card share ${ce3.matched.join(', ').replaceAll('_', ' ')} with it.`,
        ]
      : []),
  ];
};

/** The response to the issuer: as it was saved, or a letter that numbers the facts. */
export const findReply = (facts: Facts): Assembled['response'] => {
  const { chargeback } = facts;
  if (chargeback.response) return { text: chargeback.response.text, is_edited: true };
  const sentences = [...paymentWords(facts), ...orderWords(facts)];
  const text = [
    `The cardholder disputes ${letterAmount(chargeback.amount, chargeback.currency)} (${disputeWords(chargeback)}). Our records show the following.`,
    sentences.map((sentence, index) => `${index + 1}. ${sentence}`).join('\n'),
    'We ask the issuer to reverse the dispute.',
  ];
  return { text: text.filter(Boolean).join('\n\n'), is_edited: false };
};

/** Returns the name of a dispute: its reference, the scheme and the scheme’s code. */
export const disputeWords = ({ dispute_reference, network, reason_code }: Assembled['chargeback']): string =>
  [`dispute ${dispute_reference}`, `${toTitle(network)} ${reason_code}`.trim()].filter(Boolean).join(', ');

const toBought = (compared: Omit<Compared, 'charge'>): PurchaseOfEvidence => ({
  accountId: compared.customer_account_id,
  deviceFingerprint: compared.customer_device_fingerprint,
  deviceId: compared.customer_device_id,
  email: compared.customer_email_address,
  ip: compared.customer_purchase_ip,
  description: compared.product_description,
  address: toPlain(compared.shipping_address),
});

const toPlain = (address: Compared['shipping_address']): AddressOfEvidence | null => {
  if (!address) return null;
  const { postal_code: postalCode, ...rest } = address;
  return { ...rest, postalCode };
};

const priorUse = ({ order_evidence: evidence }: Facts): DisputeEvidence['compelling'] => {
  const told = evidence?.ce3.stripe;
  if (!told) return null;
  const { merchandise_or_services: kind, ...disputed } = told.disputed_transaction;
  return {
    disputed: { ...toBought(disputed), kind },
    priors: told.prior_undisputed_transactions.map(({ charge, ...prior }) => ({ charge, ...toBought(prior) })),
  };
};

/** The same in the form that processors accept, without what is rendered from it. */
export const disputeEvidenceOf = (
  assembled: Assembled,
  files: readonly FileOfEvidence[] = [],
): Omit<DisputeEvidence, 'renderLetter'> => {
  const { payment, order_evidence: evidence } = assembled;
  const order = evidence?.order;
  const { customer, device, shipping, billing, deliveries = [] } = order ?? {};
  const sent = deliveries.find(({ tracking_number: number, shipped_at: at }) => number || at);
  return {
    customer: {
      name: [customer?.firstname, customer?.lastname].filter(Boolean).join(' '),
      email: customer?.email ?? payment?.email ?? '',
      ip: device?.ip ?? '',
    },
    billingAddress: onOneLine(billing),
    shipping: {
      address: onOneLine(shipping),
      carrier: sent?.provider ?? '',
      date: sent?.shipped_at ?? '',
      trackingNumber: sent?.tracking_number ?? '',
    },
    productDescription: order ? itemText(order) : '',
    serviceDate: order?.transaction_date ?? '',
    accessLog: order ? accessLog(order) : '',
    statement: assembled.response.text,
    files,
    compelling: priorUse(assembled),
  };
};
