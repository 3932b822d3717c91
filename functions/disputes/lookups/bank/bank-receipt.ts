import * as v from 'valibot';
import { datePart } from '#core/kernel/clock.ts';
import { escapeHtml } from '#core/kernel/html.ts';

/** A provider's answer as a bank shows it to people: what it was, from whom, where it is, and whom to ask. */

const text = v.optional(v.string());
const Place = v.object({ name: text, line1: text, city: text, state: text, postalCode: text, country: text });

/** The parts of provider_b's answer that a bank reads; it knows nothing else about us. */
export const ReceiptAnswer = v.object({
  receipt: v.object({
    orderNumber: v.string(),
    purchaseDate: v.string(),
    subTotal: text,
    shippingTotal: text,
    taxTotal: text,
    discountTotal: text,
    total: v.string(),
    currency: v.string(),
    voided: v.optional(v.boolean()),
    receiptUrl: text,
    refunds: v.optional(v.array(v.object({ amount: v.string(), currency: v.string(), date: v.string() })), []),
  }),
  purchasedProducts: v.array(
    v.object({ name: v.string(), quantity: v.string(), price: v.string(), description: text }),
  ),
  customerInformation: v.optional(v.record(v.string(), v.unknown())),
  shippingInformation: v.optional(
    v.array(
      v.object({
        type: text,
        status: text,
        carrier: text,
        trackingNumber: text,
        trackingUrl: text,
        shippedDate: text,
        deliveredDate: text,
        signedBy: text,
        address: v.optional(Place),
      }),
    ),
    [],
  ),
  merchantInformation: v.object({
    name: text,
    logoUrl: text,
    phone: text,
    email: text,
    url: text,
    refundPolicy: text,
    refundPolicyUrl: text,
    termsUrl: text,
    address: v.optional(Place),
    latitude: v.optional(v.number()),
    longitude: v.optional(v.number()),
  }),
  compellingEvidence: v.optional(
    v.object({
      matched: v.array(v.string()),
      priorTransactions: v.array(v.object({ transactionDate: v.string(), amount: v.string(), currency: v.string() })),
    }),
  ),
});
export type ReceiptAnswer = v.InferOutput<typeof ReceiptAnswer>;

const h = escapeHtml;
/** Links only to web pages: the schema of orders accepts no other address, but a bank would not rely on that. */
const link = (url: string | undefined, words: string): string =>
  url?.startsWith('https://') ? `<a href="${h(url)}" rel="noreferrer noopener">${h(words)}</a>` : '';

const row = (name: string, value: string | undefined): string =>
  value === undefined || value === '' ? '' : `<div><dt>${h(name)}</dt><dd>${value}</dd></div>`;
const rowsHtml = (rows: readonly string[]): string =>
  rows.some((one) => one !== '') ? `<dl>${rows.join('')}</dl>` : '';
const section = (title: string, body: string): string =>
  body === '' ? '' : `<section><h3>${h(title)}</h3>${body}</section>`;

const placeText = (place: v.InferOutput<typeof Place> | undefined): string =>
  [place?.line1, [place?.postalCode, place?.city].filter(Boolean).join(' '), place?.state, place?.country]
    .filter(Boolean)
    .join(', ');

/** The shop's first letter is shown if it has no logo, or the logo does not load. */
const headHtml = ({ merchantInformation: { name = 'Shop', logoUrl }, receipt }: ReceiptAnswer): string => {
  const logo = logoUrl?.startsWith('https://') ? `<img src="${h(logoUrl)}" alt="">` : '';
  return `<div class="shop"><span class="logo" aria-hidden="true">${h([...name][0] ?? '')}${logo}</span>
<div><h2>${h(name)}</h2><p class="quiet">Order ${h(receipt.orderNumber)} of ${h(datePart(receipt.purchaseDate))}</p></div></div>
<p class="amount">${h(`${receipt.total} ${receipt.currency}`)}</p>`;
};

const itemList = ({ purchasedProducts: items, receipt }: ReceiptAnswer): string => {
  const lines = items.map(
    ({ name, quantity, price, description }) =>
      `<li><span>${quantity === '1' ? '' : `${h(quantity)} × `}${h(name)}${description ? `<small>${h(description)}</small>` : ''}</span><span>${h(price)}${quantity === '1' ? '' : ' each'}</span></li>`,
  );
  const sums = [
    row('Items', receipt.subTotal && h(receipt.subTotal)),
    row('Shipping', receipt.shippingTotal && h(receipt.shippingTotal)),
    row('Tax', receipt.taxTotal && h(receipt.taxTotal)),
    row('Discount', receipt.discountTotal && `−${h(receipt.discountTotal)}`),
    row('Total', h(`${receipt.total} ${receipt.currency}`)),
  ];
  return `<ul class="items">${lines.join('')}</ul>${rowsHtml(sums)}`;
};

const words = (status: string): string => `${status.slice(0, 1).toUpperCase()}${status.slice(1)}`.replaceAll('_', ' ');

const sentList = ({ shippingInformation }: ReceiptAnswer): string =>
  shippingInformation
    .map((one) =>
      rowsHtml([
        row('State', one.status && h(words(one.status))),
        row('Sent', one.shippedDate && h(datePart(one.shippedDate))),
        row('Arrived', one.deliveredDate && h(datePart(one.deliveredDate))),
        row('Carrier', one.carrier && h(one.carrier)),
        row('Tracking', one.trackingNumber && (link(one.trackingUrl, one.trackingNumber) || h(one.trackingNumber))),
        row('Signed by', one.signedBy && h(one.signedBy)),
        row('To', h([one.address?.name, placeText(one.address)].filter(Boolean).join(', '))),
      ]),
    )
    .join('');

const refundList = ({ receipt: { refunds, voided } }: ReceiptAnswer): string => {
  const given = refunds.map(({ amount, currency, date }) => row(datePart(date), h(`${amount} ${currency}`)));
  return rowsHtml(voided ? [row('Payment', 'Given up before it was taken'), ...given] : given);
};

const contactHtml = ({ merchantInformation: shop, receipt }: ReceiptAnswer): string => {
  const where = placeText(shop.address);
  const { latitude, longitude } = shop;
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}`;
  const place = latitude === undefined || longitude === undefined ? h(where) : link(map, where || 'On the map');
  return rowsHtml([
    row('Phone', shop.phone && h(shop.phone)),
    row('E-mail', shop.email && h(shop.email)),
    row('Help', link(shop.url, 'Contact the shop')),
    row('Address', place),
    row('Receipt', link(receipt.receiptUrl, 'See the receipt')),
    row('Refunds', link(shop.refundPolicyUrl, 'How refunds work') || (shop.refundPolicy && h(shop.refundPolicy))),
    row('Terms', link(shop.termsUrl, 'Terms')),
  ]);
};

const sayField = (name: string): string => words(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
const buyerHtml = ({ customerInformation: customer = {} }: ReceiptAnswer): string =>
  rowsHtml(
    Object.entries(customer).flatMap(([name, value]) =>
      typeof value === 'string'
        ? [row(sayField(name), h(/^\d{4}-\d\d-\d\dT/.test(value) ? datePart(value) : value))]
        : [],
    ),
  );

const proofHtml = ({ compellingEvidence: evidence }: ReceiptAnswer): string =>
  evidence
    ? `<p class="good">Qualifies as Compelling Evidence 3.0: ${h(evidence.matched.map((one) => one.replaceAll('_', ' ')).join(' and '))} are the same in earlier purchases.</p>${rowsHtml(
        evidence.priorTransactions.map(({ transactionDate, amount, currency }) =>
          row(datePart(transactionDate), h(`${amount} ${currency}`)),
        ),
      )}`
    : '<p class="quiet">Earlier purchases do not prove that this one was the cardholder’s.</p>';

/** The receipt. `withEvidence`: also shows what the network weighs. */
export const receiptHtml = (shown: ReceiptAnswer, withEvidence: boolean): string =>
  [
    headHtml(shown),
    section('What it was', itemList(shown)),
    section('Delivery', sentList(shown)),
    section('Refunds', refundList(shown)),
    section('Who bought it', buyerHtml(shown)),
    withEvidence ? section('Evidence', proofHtml(shown)) : '',
    section('The shop', contactHtml(shown)),
  ].join('\n');
