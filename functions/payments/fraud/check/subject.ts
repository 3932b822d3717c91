import type { KeptCard } from '#core/kernel/card/card.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import type { Money } from '#core/kernel/money/money.ts';
import type { Payer, Shipping } from '#payments/payments/payer.ts';

/** The merchant's facts about its customer's device: the known keys of `device_info`. */
export type Device = {
  id: string | null;
  ip: string | null;
  userAgent: string | null;
  acceptLanguage: string | null;
  /** The country of the card's issuer as the merchant states it; the operator's BIN table takes precedence. */
  binCountry: string | null;
};
/** The subject of an assessment: a payment, before its processor is called, or a check without one. */
export type FraudSubject = {
  kind: 'payment' | 'check';
  sid: number;
  /** The payment's number, under which its check is kept too; null for a check alone. */
  txid: number | null;
  money: Money;
  card: KeptCard | null;
  /** The first eight digits of the card's number: looked up and not kept. */
  bin?: string | null;
  /** The card's fingerprints by keys before the current one, so that an entry of a list outlives a change of keys. */
  earlierTokens?: readonly string[];
  payer: Payer;
  shipping: Shipping | null;
  device: Device;
  /** The source of the payer's authentication; absent if there is no payment. */
  threeDsSource?: 'verified' | 'merchant' | 'none';
  /** Now, ISO. */
  at: string;
};

const longest = 512;
const clipText = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, longest) : null;

/** Reads `device_info`. Unknown keys, and values that are not text, are ignored. */
export const toDevice = (info: Readonly<Record<string, unknown>> | null): Device => {
  const country = clipText(info?.['bin_country'])?.toUpperCase() ?? '';
  return {
    id: clipText(info?.['device_id']),
    ip: clientIpOf(clipText(info?.['ip']) ?? ''),
    userAgent: clipText(info?.['user_agent']),
    acceptLanguage: clipText(info?.['accept_language']),
    binCountry: /^[A-Z]{2}$/.test(country) ? country : null,
  };
};

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

/** The canonical form of an IP address; null if it is not one. An IPv4 address inside an IPv6 one becomes that IPv4 address. */
export const canonicalIp = (text: string): string | null => {
  if (ipv4.test(text)) return text.split('.').map(Number).join('.');
  if (!/^[\da-f:.]{2,45}$/i.test(text) || !text.includes(':')) return null;
  const host = URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1);
  if (host === undefined) return null;
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return host;
  return [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]).join('.');
};

/** Not of the public Internet: a proxy of the shop's own, or a carrier's network (100.64.0.0/10, RFC 6598). */
const internal =
  /^(?:0\.|10\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|f[cd][\da-f]{2}:|fe[89ab][\da-f]:|::1$)/i;

/** An address without the port, brackets, quotes, zone or other parameters that a header (`Forwarded`) or a socket writes with it. */
const bareIp = (text: string): string | null => {
  const [, named = text] = /(?:^|[;\s])for=([^;]+)/i.exec(text) ?? [];
  const plain = named
    .trim()
    .replace(/"/g, '')
    .replace(/%[\w.-]+/, '');
  const [, bracketed] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(plain) ?? [];
  const [, withPort] = /^([\d.]+):\d{1,5}$/.exec(plain) ?? [];
  return canonicalIp(bracketed ?? withPort ?? plain);
};

/** The client's address, also out of a list of proxies (X-Forwarded-For): the first that is public, or else the first; null if there is none. */
export const clientIpOf = (text: string): string | null => {
  const known = text.split(',').flatMap((part) => bareIp(part) ?? []);
  return known.find((ip) => !internal.test(ip)) ?? known[0] ?? null;
};

/** The network of an address: for IPv6 its first 64 bits, because one customer has all addresses within them. */
export const ipNetwork = (ip: string): string => {
  if (!ip.includes(':')) return ip;
  const [head = '', tail = ''] = ip.split('::');
  const [before, after] = [head, tail].map((side) => side.split(':').filter((part) => part !== ''));
  const missing = 8 - (before?.length ?? 0) - (after?.length ?? 0);
  const parts = [...(before ?? []), ...Array.from({ length: missing }, () => '0'), ...(after ?? [])];
  return `${parts.slice(0, 4).join(':')}::/64`;
};

/** The canonical form of an e-mail address: mailboxes that differ only in case are the same wherever it matters. */
export const canonicalEmail = (email: string): string => email.trim().toLowerCase();

/** Domains whose mailboxes are also reached with a tag behind a plus sign. */
const taggedDomains = new Set(
  (
    'outlook.com hotmail.com live.com msn.com icloud.com me.com mac.com proton.me protonmail.com pm.me fastmail.com ' +
    'zoho.com yandex.com yandex.ru gmx.com'
  ).split(' '),
);

/**
 * The mailbox that an address reaches, one spelling for all of its own, so that a payer is counted and blocked as one. At Gmail dots do not count and a
 * tag follows a plus sign (https://support.google.com/mail/answer/7436150, 2026-11-28); at Yahoo a tag follows a hyphen, which names there do not have.
 * At other domains both may be of another person.
 */
export const toMailbox = (email: string): string => {
  const address = canonicalEmail(email);
  const at = address.lastIndexOf('@');
  const [local, sent] = [address.slice(0, at), address.slice(at + 1).replace(/\.$/, '')];
  const domain = URL.parse(`http://${sent}`)?.hostname ?? sent;
  const before = (mark: string): string => (local.indexOf(mark) > 0 ? local.slice(0, local.indexOf(mark)) : local);
  if (domain === 'gmail.com' || domain === 'googlemail.com') return `${before('+').replaceAll('.', '')}@gmail.com`;
  if (/^(?:yahoo|ymail|rocketmail)\.[a-z.]+$/.test(domain)) return `${before('-')}@${domain}`;
  return `${taggedDomains.has(domain) ? before('+') : local}@${domain}`;
};

export const payerEmail = ({ payer }: FraudSubject): string | null =>
  payer.email === null ? null : canonicalEmail(payer.email);

export const mailDomain = (email: string | null): string | null => email?.split('@').at(-1) ?? null;

/** The payer's address. Calls come from the merchant's server, so their own address says nothing of the payer. */
export const payerIp = ({ payer, device }: FraudSubject): string | null =>
  payer.ip === null ? device.ip : clientIpOf(payer.ip);

export const payerCountry = ({ payer }: FraudSubject): string | null => payer.address?.country.toUpperCase() || null;

/** A short digest of a value that must not appear in a key as it is. */
export const subjectDigestOf = (text: string): string => sha256(text).slice(0, 40);
