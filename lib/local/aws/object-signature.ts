import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AwsError } from './aws-server.ts';

/**
 * Checks a signed address as S3 does. Written from the specification and not with the library that signs, so that a mistake there
 * shows. https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */

/** The key with which functions of the local stack sign. */
const secretKey = 'local';

const createDenial = (code: string, message: string): AwsError => new AwsError(code, message, 403);

/** The path and query of a request whose signature is right and has not expired. `now`: milliseconds. Throws AwsError. */
export const checkSignature = async (
  request: IncomingMessage,
  now: number,
): Promise<{ path: string; query: URLSearchParams }> => {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://local');
  const of = (name: string) => query.get(`X-Amz-${name}`) ?? '';
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(of('Date')) ?? [];
  const signedAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(signedAt)) throw createDenial('AccessDenied', 'The address is not signed.');
  if (now > signedAt + Number(of('Expires')) * 1000) throw createDenial('AccessDenied', 'Request has expired');
  const scope = of('Credential').split('/').slice(1).join('/');
  const text = ['AWS4-HMAC-SHA256', of('Date'), scope, sha256(canonicalRequest(request, pathname, query))].join('\n');
  if (hmac(signingKey(scope), text).toString('hex') !== of('Signature')) {
    throw createDenial('SignatureDoesNotMatch', 'The request signature we calculated does not match.');
  }
  return { path: pathname, query };
};

const canonicalRequest = ({ method = '', headers }: IncomingMessage, path: string, query: URLSearchParams): string => {
  const names = (query.get('X-Amz-SignedHeaders') ?? '').split(';');
  const pairs = [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${escapeUri(name)}=${escapeUri(value)}`)
    .sort();
  const lines = names.map((name) => `${name}:${String(headers[name] ?? '').trim()}`);
  return [method, path, pairs.join('&'), ...lines, '', names.join(';'), 'UNSIGNED-PAYLOAD'].join('\n');
};

const signingKey = (scope: string): Buffer =>
  scope.split('/').reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secretKey}`));

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const escapeUri = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
