import { type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { checkWebhookUrl } from '#core/kernel/webhook-url.ts';
import { guardedLookup, type LookupRules, SendError } from './guarded-lookup-client.ts';

/** `unsent`: the server received nothing. `lost`: it may have acted on the call. `detail` contains nothing of the answer. */
export type GuardedAnswer =
  | { status: number; text: string; headers: IncomingHttpHeaders }
  | { failure: 'unsent' | 'lost'; detail: string };

/** `body` absent: a GET; else a POST. */
type GuardedCall = { url: string; headers: Readonly<Record<string, string>>; body?: string | Uint8Array };

/** For how long a call may take, and how long its answer may be. */
type CallLimits = { timeoutMilliseconds: number; maxBytes: number };

/** Errors before a connection was made. */
const unsentCodes =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(?:HOST|NET)(?:UNREACH|DOWN)|CERT_\w+|ERR_TLS_CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/;

const networkCode = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '');

const classifyFailure = (error: Error): Extract<GuardedAnswer, { detail: string }> => {
  if (error instanceof SendError) return { failure: 'unsent', detail: error.errorClass };
  const code = networkCode(error);
  const detail = code === '' || code === 'ABORT_ERR' ? 'no answer in time' : code;
  return { failure: unsentCodes.test(code) ? 'unsent' : 'lost', detail };
};

/**
 * Calls an address that a merchant chose, under the rules of webhooks: public addresses only, certificates verified, no redirects. For
 * functions that call rarely: without a pool of connections it weighs a few hundred bytes, where undici's weighs 150 KB. Never throws for
 * anything the other side does.
 */
export const callGuarded = (
  { url, headers, body }: GuardedCall,
  rules: LookupRules,
  { timeoutMilliseconds, maxBytes }: CallLimits,
): Promise<GuardedAnswer> => {
  const checked = checkWebhookUrl(url, rules);
  if (!checked.ok) return Promise.resolve({ failure: 'unsent', detail: 'the address is not allowed' });
  const { promise, resolve } = Promise.withResolvers<GuardedAnswer>();
  const send = checked.url.protocol === 'https:' ? requestHttps : requestHttp;
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  const method = body === undefined ? 'GET' : 'POST';
  const options = { method, headers, agent: false, signal, lookup: guardedLookup(rules).lookup } as const;
  const request = send(checked.url, options, (response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else {
        resolve({ failure: 'lost', detail: `the answer is longer than ${maxBytes} bytes` });
        response.destroy();
      }
    });
    response.on('error', (error) =>
      resolve({ failure: 'lost', detail: signal.aborted ? classifyFailure(error).detail : 'the answer broke off' }),
    );
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
    });
  });
  request.on('error', (error) => resolve(classifyFailure(error)));
  request.end(body);
  return promise;
};
