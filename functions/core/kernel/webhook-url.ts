import ipaddr from 'ipaddr.js';
import { isLoopbackAddress, isPublicAddress } from './addresses.ts';

/** Addresses that a deployment allows in addition to https on ports 443 and 8443 of public hosts. */
export type WebhookUrlRules = {
  /** The local stack's setting: hosts of this machine may be called too, by http or https, on any port. */
  allowLoopbackHttp: boolean;
  extraPorts: readonly number[];
};

/** The reason why a URL is refused, and the advice for its owner. */
export const webhookUrlRefusals = {
  malformed: 'must be an absolute URL of at most 2048 characters, without spaces',
  scheme: 'must begin with https://',
  credentials: 'must not contain a username or password',
  port: 'must use port 443 or 8443',
  host: 'must name a host on the public Internet',
} as const;

type WebhookUrlRefusal = keyof typeof webhookUrlRefusals;
export type CheckedWebhookUrl = { ok: true; url: URL } | { ok: false; reason: WebhookUrlRefusal; message: string };

const longestCharacters = 2048;
const standardPorts: readonly number[] = [443, 8443];

/** URL parsers drop or reinterpret these, so that what a person reads is not what is called. */
const misleading = /[\s\p{Cc}\p{Cf}\\]/u;

/** Names that never mean a host on the public Internet (RFC 6761, 6762, 8375; `.internal` is reserved by ICANN). */
const privateSuffix = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** Checks whether a URL's hostname can only mean this machine: a loopback address, `localhost` or a name under it (RFC 6761). */
export const isLoopbackHost = (hostname: string): boolean => {
  const host = bare(hostname);
  return isLoopbackAddress(host) || /(?:^|\.)localhost$/.test(host);
};

/** Matches what may be an address: its last part is a number, or it has colons. For names the library throws an error, which is slow. */
const addressLike = /(?:^|\.)(?:\d+|0x[\da-f]*)$|:/i;

/** Checks for two labels or more, of the lengths that DNS has (RFC 1035, 2.3.4); a parser of URLs takes empty and longer ones too. */
const isDomainName = (host: string): boolean => host.length <= 253 && /^[^.]{1,63}(?:\.[^.]{1,63})+$/.test(host);

/** A name may still resolve to anything: the sender checks the addresses when it connects. */
const mayBePublic = (hostname: string): boolean => {
  const host = bare(hostname);
  if (addressLike.test(host) && ipaddr.isValid(host)) return isPublicAddress(host);
  return isDomainName(host) && !privateSuffix.test(host);
};

const refuseUrl = (url: URL, { allowLoopbackHttp, extraPorts }: WebhookUrlRules): WebhookUrlRefusal | undefined => {
  const onLoopback = allowLoopbackHttp && isLoopbackHost(url.hostname);
  if (url.protocol !== 'https:' && !(onLoopback && url.protocol === 'http:')) return 'scheme';
  if (url.username !== '' || url.password !== '') return 'credentials';
  if (onLoopback) return undefined;
  if (!mayBePublic(url.hostname)) return 'host';
  const port = url.port === '' ? 443 : Number(url.port);
  return standardPorts.includes(port) || extraPorts.includes(port) ? undefined : 'port';
};

/**
 * Checks a merchant's callback URL, both when it is saved and before each use. It is judged as the WHATWG parser reads it, which turns
 * every spelling of an address (decimal, octal, hexadecimal, full-width digits) into the plain one. The returned URL has no fragment, as
 * none is ever sent. `message` continues a sentence that begins with the field.
 */
export const checkWebhookUrl = (text: string, rules: WebhookUrlRules): CheckedWebhookUrl => {
  const url = text.length > longestCharacters || misleading.test(text) ? null : URL.parse(text);
  const reason = url ? refuseUrl(url, rules) : 'malformed';
  if (!url || reason)
    return { ok: false, reason: reason ?? 'malformed', message: webhookUrlRefusals[reason ?? 'malformed'] };
  url.hash = '';
  return { ok: true, url };
};

/** Describes why a merchant's URL cannot be one to which paths are added: `?` or `#` would swallow them. Undefined: it can. */
export const rootUrlProblem = (text: string, rules: WebhookUrlRules): string | undefined => {
  const checked = checkWebhookUrl(text, rules);
  if (!checked.ok) return checked.message;
  return /[?#]/.test(text) ? 'must not contain a query or a fragment' : undefined;
};
