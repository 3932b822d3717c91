import { makeRecord, recordNames } from '#core/kernel/record-of.ts';
import { canonicalIp } from '#payments/fraud/check/subject.ts';
import type { Order, OrderAddress, OrderContent } from '#payments/orders/order.ts';

/** The fields that Compelling Evidence 3.0 compares between two purchases, in canonical form; null: absent, or it does not count. */
export type Elements = {
  ip: string | null;
  device_id: string | null;
  device_fingerprint: string | null;
  account_id: string | null;
  shipping_address: string | null;
  email: string | null;
};
export type Element = keyof Elements;

/** Minimum lengths of Stripe's fields for the same evidence; networks do not accept shorter identifiers. */
const shortestDeviceId = 15;
const shortestFingerprint = 20;

/** Private networks and those of carriers (RFC 1918, 6598, 4193), and loopback and link-local addresses. */
const ipv4OfMany =
  /^(?:0|10|127)\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^192\.168\./;
const ipv6OfMany = /^(?:f[cd][\da-f]{2}:|fe[89ab][\da-f]:|::1?$)/;

/** Many customers share such addresses, so they identify none. All bits of an IPv6 address count. */
const ipElement = (text: string | undefined): string | null => {
  const ip = canonicalIp(text ?? '');
  return ip === null || ipv4OfMany.test(ip) || ipv6OfMany.test(ip) ? null : ip;
};

const atLeast = (text: string | undefined, shortest: number): string | null =>
  text !== undefined && text.length >= shortest ? text : null;

/** As merchants spell it; but mailboxes that differ only in case are the same. */
const accountElement = (text: string | undefined): string | null => {
  const account = text?.trim() ?? '';
  if (account === '') return null;
  return account.includes('@') ? account.toLowerCase() : account;
};

/** Street words and their short forms, in the languages that our merchants' customers write them in. */
const streetWords: Readonly<Record<string, string>> = {
  street: 'st',
  str: 'st',
  strasse: 'st',
  road: 'rd',
  avenue: 'ave',
  av: 'ave',
  boulevard: 'blvd',
  bvd: 'blvd',
  drive: 'dr',
  lane: 'ln',
  court: 'ct',
  place: 'pl',
  square: 'sq',
  terrace: 'ter',
  crescent: 'cres',
  highway: 'hwy',
  parade: 'pde',
  parkway: 'pkwy',
  apartment: 'apt',
  suite: 'ste',
  building: 'bldg',
  floor: 'fl',
  north: 'n',
  south: 's',
  east: 'e',
  west: 'w',
};

/** Lower case without accents and punctuation. Unicode does not decompose `ß`, so it is spelled out. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const plainStreet = (text: string): string =>
  plain(text)
    .split(' ')
    .map((word) => streetWords[word] ?? word.replace(/(?<=\p{L}{2})(?:strasse|str)$/u, 'st'))
    .join(' ');

/** The address in canonical form, if line, city, postcode and country are all there. */
export const addressElement = (address: OrderAddress | undefined): string | null => {
  const { address: line = '', suburb_city: city = '', postcode = '', country = '' } = address ?? {};
  const parts = [plainStreet(line), plain(city), plain(postcode).replaceAll(' ', ''), country.toUpperCase()];
  return parts.includes('') ? null : parts.join('|');
};

export const readElements = ({ device, customer, shipping }: OrderContent): Elements => ({
  ip: ipElement(device?.ip),
  device_id: atLeast(device?.device_id, shortestDeviceId),
  device_fingerprint: atLeast(device?.device_fingerprint, shortestFingerprint),
  account_id: accountElement(customer?.account_id),
  shipping_address: addressElement(shipping),
  email: customer?.email?.trim().toLowerCase() || null,
});

/** What a party takes as Compelling Evidence 3.0. */
export type Ce3Party = {
  elements: readonly Element[];
  /** An address without a state does not count. */
  needsState?: true;
  /** Whether the party can use an earlier purchase. */
  isUsable(order: Order): boolean;
};

const common = ['ip', 'device_id', 'device_fingerprint', 'account_id', 'shipping_address'] as const;

/** Visa through Order Insight: docs/decisions/0072. E-mail is an element by one acquirer's page alone, so it does not count. */
export const visaParty: Ce3Party = { elements: common, isUsable: () => true };

/** The processor's reference of a purchase, where the merchant or the service knows it. */
export const chargeOfPurchase = ({ content, payment }: Order): string | null =>
  payment?.reference ?? content.processor?.reference ?? null;

/**
 * Stripe takes earlier charges of its own, and the e-mail address as an element; all fields of an address are required.
 * https://docs.stripe.com/disputes/api/visa-ce3, and Disputes.d.ts of npm stripe 23.1.0 (2026-11-28)
 */
export const stripeParty: Ce3Party = {
  elements: [...common, 'email'],
  needsState: true,
  isUsable: (order) => /^(?:ch|py|pi)_\w+$/.test(chargeOfPurchase(order) ?? ''),
};

/** The elements of a purchase that count for a party; null: absent, or it does not count. */
export const elementsFor = (content: OrderContent, { elements, needsState }: Ce3Party): Elements => {
  const all = readElements(content);
  const isWhole = !needsState || (content.shipping?.state ?? '') !== '';
  const counts = (name: Element): boolean => elements.includes(name) && (name !== 'shipping_address' || isWhole);
  return makeRecord(recordNames(all), (name) => (counts(name) ? all[name] : null));
};
