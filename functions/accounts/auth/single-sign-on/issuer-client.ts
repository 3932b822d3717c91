import { lookup } from 'node:dns';
import { type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { webhookUrlRules } from '#accounts/merchants/settings/url-rules.ts';
import { isLoopbackAddress, isPublicAddress } from '#core/kernel/addresses.ts';
import { isFields } from '#core/kernel/is-object.ts';
import { checkWebhookUrl, isLoopbackHost } from '#core/kernel/webhook-url.ts';

/** An identity provider that cannot be used: its answer is missing or is not what OpenID Connect defines. */
export class IssuerError extends Error {
  override readonly name = 'IssuerError';
}

const maxBytes = 256 * 1024;
const timeoutMilliseconds = 8000;

/** Finds the addresses of a name. A name with an address that is not public is refused as a whole, as for webhooks. */
const guardedLookup: LookupFunction = (hostname, options, callback) => {
  const mayBeHere = webhookUrlRules().allowLoopbackHttp && isLoopbackHost(hostname);
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '');
    const isSafe = addresses.every(
      ({ address }) => isPublicAddress(address) || (mayBeHere && isLoopbackAddress(address)),
    );
    const [first] = addresses;
    if (!isSafe || !first) return callback(new IssuerError('The address is not public'), '');
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};

type Sent = { form?: Readonly<Record<string, string>>; authorization?: string };

const checkedAddress = (address: string): URL => {
  const checked = checkWebhookUrl(address, webhookUrlRules());
  if (!checked.ok) throw new IssuerError(`${checked.reason} of ${address}`);
  return checked.url;
};

/** Returns an address of an identity provider to which a browser may be sent. Throws IssuerError. */
export const browserAddress = (address: string): string => checkedAddress(address).href;

/** Calls an address of an identity provider and reads its JSON. It follows no redirect. Throws IssuerError. */
export const callIssuer = async (
  address: string,
  { form, authorization }: Sent = {},
): Promise<Record<string, unknown>> => {
  const url = checkedAddress(address);
  const body = form && new URLSearchParams(form).toString();
  const options: RequestOptions = {
    method: body === undefined ? 'GET' : 'POST',
    lookup: guardedLookup,
    signal: AbortSignal.timeout(timeoutMilliseconds),
    headers: {
      accept: 'application/json',
      ...(authorization && { authorization }),
      ...(body !== undefined && {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': String(Buffer.byteLength(body)),
      }),
    },
  };
  const { status, text } = await exchange(url, options, body).catch((cause: unknown) => {
    throw new IssuerError(`${url.host} did not answer`, { cause });
  });
  const answer = parseOrUndefined(text);
  if (status !== 200 || !isFields(answer)) throw new IssuerError(`${url.host} answered ${status}`);
  return answer;
};

const exchange = (
  url: URL,
  options: RequestOptions,
  body: string | undefined,
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBytes) request.destroy(new IssuerError('The answer is too long'));
        chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });

const parseOrUndefined = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
