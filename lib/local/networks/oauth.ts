import { createHash, type KeyObject, verify } from 'node:crypto';
import type { NetworkMemory, NetworkRequest } from './network.ts';

const tolerance = 5 * 60_000;

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** Returns the parameters of an OAuth header (RFC 5849 §3.5.1), with their values in the header; undefined for another. */
const oauthParameters = (header: string): ReadonlyMap<string, string> | undefined => {
  const [, list] = /^OAuth (.+)$/s.exec(header) ?? [];
  if (list === undefined) return undefined;
  return new Map(
    list.split(',').map((pair) => {
      const [name = '', value = ''] = pair.trim().split(/=(.*)/s);
      return [name, value.replace(/^"|"$/g, '')];
    }),
  );
};

/**
 * Returns the signed text (RFC 5849 §3.4.1), with the body's hash among the parameters. Values count as they appear in the header: the
 * network's own signers leave the hash without the escapes that the standard requires, and sign it like that.
 */
const base = ({ method, url }: NetworkRequest, parameters: ReadonlyMap<string, string>): string => {
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`);
  const own = [...parameters]
    .filter(([name]) => name !== 'oauth_signature' && name !== 'realm')
    .map(([name, value]) => `${name}=${value}`);
  const address = `${url.protocol}//${url.host}${url.pathname}`;
  return [method.toUpperCase(), encode(address), encode([...query, ...own].sort().join('&'))].join('&');
};

/**
 * Why a request's OAuth 1.0a signature (RSA-SHA256, with a hash of the body) does not hold, in words; undefined if it does.
 * Signers know the system's time only, not the local stack's.
 * @see https://datatracker.ietf.org/doc/html/rfc5849#section-3.4
 */
export const oauthProblem = (
  request: NetworkRequest,
  { consumerKey, publicKey }: { consumerKey: string; publicKey: KeyObject },
  memory: NetworkMemory,
): string | undefined => {
  const parameters = oauthParameters(request.headers['authorization'] ?? '');
  if (!parameters) return 'No OAuth header';
  const of = (name: string) => decodeURIComponent(parameters.get(`oauth_${name}`) ?? '');
  if (of('consumer_key') !== consumerKey) return 'Unknown consumer key';
  if (of('version') !== '1.0' || of('signature_method') !== 'RSA-SHA256') return 'Unknown way of signing';
  if (of('body_hash') !== createHash('sha256').update(request.body).digest('base64')) return 'Wrong body hash';
  if (!(Math.abs(Number(of('timestamp')) * 1000 - Date.now()) <= tolerance)) return 'Too old or too new';
  const signature = Buffer.from(of('signature'), 'base64');
  if (!verify('RSA-SHA256', Buffer.from(base(request, parameters)), publicKey, signature)) return 'Wrong signature';
  return memory.useNonce(of('nonce')) ? undefined : 'The nonce was used before';
};
