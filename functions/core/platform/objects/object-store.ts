import { createHash, createHmac } from 'node:crypto';
import { HttpRequest } from '@smithy/core/protocols';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import { iso, milliseconds, now } from '#core/kernel/clock.ts';
import { log } from '../log/log.ts';
import type { ObjectPrefix } from '../operation/grants.ts';
import { clientSettings } from '../table/aws.ts';
import { objectUrl } from './object-address.ts';

/**
 * Files in S3, by requests that carry their signature in the address. Browsers get such addresses too: a file is larger than what passes
 * the gateway and a function. https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-presigned-url.html
 */

/** The object of a merchant; its id is random. */
export type ObjectKey = `${ObjectPrefix}/${number}/${string}`;

const lifetimeSeconds = 15 * 60;

/** Adapts Node's hash to what the signer calls. */
class Sha256 {
  readonly #hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toBytes(secret));
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(toBytes(data));
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  /** The signer makes a new one each time. */
  reset(): never {
    throw new Error('This hash is used once');
  }
}

const toBytes = (data: string | ArrayBuffer | ArrayBufferView): Uint8Array => {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
};

const signer = new SignatureV4({
  service: 's3',
  region: clientSettings.region,
  sha256: Sha256,
  // S3 signs paths as they are.
  uriEscapePath: false,
  credentials: async () => {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
    if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) throw new Error('No AWS credentials in the environment');
    return {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    };
  },
});

type Signing = { headers?: Record<string, string>; query?: Record<string, string> };

const sign = async (
  method: string,
  key: ObjectKey,
  { headers = {}, query = {} }: Signing = {},
): Promise<HttpRequest> => {
  const { protocol, hostname, port, host, pathname } = objectUrl(key);
  const unsigned = new HttpRequest({
    ...{ protocol, hostname, method, query, path: pathname },
    ...(port !== '' && { port: Number(port) }),
    headers: { host, 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD', ...headers },
  });
  // The type of a signed request is wider than what it is made from.
  return new HttpRequest(await signer.presign(unsigned, { expiresIn: lifetimeSeconds, signingDate: now() }));
};

/** Spaces as `%20`: S3 does not read a plus sign as one. */
const requestUrl = ({ protocol, headers, path, query }: HttpRequest): string => {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return `${protocol}//${headers['host']}${path}?${pairs.join('&')}`;
};

const expiry = (): string => iso(now().getTime() + lifetimeSeconds * milliseconds.second);

/** An address to which a browser can PUT a file of exactly this many bytes, with these headers. */
export const presignUpload = async (key: ObjectKey, { bytes, type }: { bytes: number; type: string }) => {
  const request = await sign('PUT', key, { headers: { 'content-length': String(bytes), 'content-type': type } });
  return { url: requestUrl(request), headers: { 'content-type': type }, expires_at: expiry() };
};

/** An address from which a browser saves a file under a name. It never shows the file, whatever that holds. */
export const presignDownload = async (key: ObjectKey, { name, type }: { name: string; type: string }) => {
  const plain = name.replace(/[^\w. -]/g, '_');
  const query = {
    'response-content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    'response-content-type': type,
    'response-cache-control': 'private, no-store',
  };
  return { url: requestUrl(await sign('GET', key, { query })), expires_at: expiry() };
};

const handler = new NodeHttpHandler({ connectionTimeout: 3000, requestTimeout: 15_000 });
const maxAttempts = 2;

type Reply = { status: number; bytes: Buffer };

/** Sends a request. All of them may be repeated: they read, delete, or write the same bytes. Throws for an answer of 500 and above. */
const send = async (request: HttpRequest, body?: Uint8Array): Promise<Reply> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { response } = await handler.handle(new HttpRequest({ ...request, ...(body && { body }) }));
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.body) chunks.push(chunk);
      if (response.statusCode < 500) return { status: response.statusCode, bytes: Buffer.concat(chunks) };
      throw new Error(`S3 answered ${response.statusCode} to ${request.method}`);
    } catch (error) {
      if (attempt >= maxAttempts) throw error;
    }
  }
};

const checkReply = ({ status }: Reply, method: string): void => {
  if (status >= 300) throw new Error(`S3 answered ${status} to ${method}`);
};

/**
 * The bytes of an object; undefined if there is none. S3 answers 403 for an absent object to a role that may not list the
 * bucket: https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
 */
export const getObject = async (key: ObjectKey): Promise<Uint8Array | undefined> => {
  const reply = await send(await sign('GET', key));
  if (reply.status === 403 || reply.status === 404) {
    log('warn', 'object_absent', { status: reply.status });
    return undefined;
  }
  checkReply(reply, 'GET');
  return reply.bytes;
};

/** Writes an object. */
export const putObject = async (key: ObjectKey, bytes: Uint8Array, type: string): Promise<void> => {
  const headers = { 'content-length': String(bytes.length), 'content-type': type };
  checkReply(await send(await sign('PUT', key, { headers }), bytes), 'PUT');
};

/** Deletes an object, if it exists. */
export const deleteObject = async (key: ObjectKey): Promise<void> => {
  checkReply(await send(await sign('DELETE', key)), 'DELETE');
};
