import type { KeylessFailure } from './keyless.ts';

/**
 * HTTP to a processor. A connection that was kept open may have been closed by the other side while a function was frozen,
 * and the first payment afterwards would be in doubt for no reason: so a request that broke off is sent once more, if the
 * idempotency key makes it the same request. What cannot be known then stays unknown.
 */

export const exchangeMilliseconds = 20_000;

/** `unsent`: no connection was made, so the processor saw nothing. `lost`: it may have done what it was asked. */
export type ExchangeFailure = 'unsent' | 'lost';

/** An answer that says nothing about whether the request before it was done. */
class AnswerLostError extends Error {
  override readonly name = 'AnswerLostError';
}

const neverConnected =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(?:HOST|NET)(?:UNREACH|DOWN)|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/;
const brokenOff = /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/;

const codeIn = (error: unknown): string => {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeIn(error.cause);
};

/** Returns the meaning of an error that `fetch` threw. */
export const sortFailure = (error: unknown): ExchangeFailure =>
  neverConnected.test(codeIn(error)) ? 'unsent' : 'lost';

/** The outcome of a request that threw, at a processor without idempotency keys. */
export const outcomeOfError = (processor: string, error: unknown): KeylessFailure =>
  sortFailure(error) === 'lost'
    ? { outcome: 'UNKNOWN', detail: `${processor} did not answer` }
    : { outcome: 'EXC', code: 'processor_unavailable', reference: null, detail: `${processor}: no connection` };

/** Answers that come before a processor looks up an idempotency key: after a try in doubt they do not settle it. */
const saysNothing = (status: number): boolean => status === 401 || status === 403 || status === 409 || status === 429;

/**
 * `fetch` that follows no redirects (a card number must not) and repeats a request that broke off once. `isRepeatable`: whether
 * repeating changes nothing, if neither the method nor an idempotency key says so.
 */
export const exchange = async (
  url: string | URL | Request,
  init: RequestInit = {},
  { isRepeatable = changesNothingTwice(init) }: { isRepeatable?: boolean } = {},
): Promise<Response> => {
  const request = { ...init, redirect: 'error' } as const;
  try {
    return await fetch(url, request);
  } catch (error) {
    if (!brokenOff.test(codeIn(error)) || !isRepeatable) throw error;
  }
  const response = await fetch(url, request).catch(() => undefined);
  if (!response || saysNothing(response.status)) {
    await response?.body?.cancel();
    throw new AnswerLostError('The connection broke off, and the next try did not settle it');
  }
  return response;
};

const changesNothingTwice = ({ method = 'GET', headers }: RequestInit): boolean =>
  method === 'GET' || new Headers(headers).has('idempotency-key');
