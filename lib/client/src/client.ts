import { idempotent, signable } from './operations.ts';
import type { Operations } from './schema.ts';

export type ClientOptions = {
  /** Where the service is, such as `http://127.0.0.1:3000`. */
  url: string;
  /** A Bearer token, or who signs in for one; a token that has run out is replaced. */
  token?: string;
  user?: { username: string; password: string };
  /** An API key (`fwk_…`), which is sent in place of a token. */
  apiKey?: string;
  /** The site's secret: calls of the site are signed with it, and those that ask for it have it. */
  rcode?: string;
  /** The maximum number of attempts for a call that is safe to repeat, including the first. Default: 4. */
  attempts?: number;
  /** Milliseconds before the second attempt; each further pause is twice as long. Default: 250. */
  pause?: number;
  fetch?: typeof fetch;
  /** Milliseconds since 1970, for signatures; default: Date.now. The local service has a clock of its own. */
  now?: () => number;
};

/** A refusal. `code` is for programs: it never changes, the words may. */
export class ForewarnError extends Error {
  override readonly name = 'ForewarnError';
  readonly status: number;
  readonly code: string | undefined;
  readonly details: string | undefined;
  /** To give to the operator. */
  readonly requestId: string | undefined;
  constructor(status: number, body: Record<string, unknown>, requestId: string | null) {
    const text = (name: string) => (typeof body[name] === 'string' ? body[name] : undefined);
    super([text('msg') ?? text('error_msg') ?? `Status ${status}`, text('details')].filter(Boolean).join(': '));
    this.status = status;
    this.code = text('code') ?? text('error_code');
    this.details = text('details');
    this.requestId = requestId ?? undefined;
  }
}

type Name = keyof Operations;
/** The input of a call: only the parts that its operation has. */
type Input<N extends Name> = Operations[N]['input'] & {
  /** Names the call, so that the service does it once; default: a new one for each call. Pass your own to repeat a call later. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
};
type Arguments<N extends Name> = Record<never, never> extends Input<N> ? [input?: Input<N>] : [input: Input<N>];

/** Operations that return a list in pages. */
type ListName = { [N in Name]: Operations[N]['reply'] extends { list: readonly unknown[] } ? N : never }[Name];
type Item<N extends ListName> = Operations[N]['reply'] extends { list: readonly (infer T)[] } ? T : never;

export type Client = {
  /** Calls an operation, named by its method and path. Throws ForewarnError if the service refuses the call. */
  call<N extends Name>(name: N, ...input: Arguments<N>): Promise<Operations[N]['reply']>;
  /** Calls a list operation and yields its items, page by page. `body.size`: of a page. */
  each<N extends ListName>(name: N, ...input: Arguments<N>): AsyncGenerator<Item<N>, void>;
};

type Parts = {
  path?: object;
  query?: object;
  body?: unknown;
  idempotencyKey?: string;
  headers?: Record<string, string>;
};

const tokenPath = '/api/v2/index.php/gettoken';
const minPause = 250;
const usualAttempts = 4;
/** A conflict that passes has retry-after: the first attempt with the same key is in progress. */
const isPassing = ({ status, headers }: Response): boolean =>
  status === 429 || status >= 500 || (status === 409 && headers.has('retry-after'));

/** Operations that only read by their names, though they are called by POST as they have fields; see the guide "Errors and idempotency". */
const onlyReads = (method: string, path: string): boolean =>
  method === 'GET' || /(?:\/list|\/details|\/search|\/status|\/pulse|gettoken)$/.test(path);

/** A client of one service, as one user or one site. */
export const createClient = (options: ClientOptions): Client => {
  const { url, rcode, attempts = usualAttempts, pause = minPause, fetch: send = fetch, now = Date.now } = options;
  const base = url.replace(/\/+$/, '');
  let token = options.apiKey ?? options.token;

  const attempt = async (method: string, path: string, parts: Parts): Promise<Response> => {
    const body = parts.body === undefined ? undefined : JSON.stringify(parts.body);
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(rcode !== undefined && (await proofOf(`${method} ${path}`, rcode, parts.body, now()))),
    };
    return send(`${base}${targetOf(path, parts)}`, {
      method,
      headers: headersOf(parts, headers),
      ...(body !== undefined && { body }),
    });
  };

  /** Tries again what a broken connection or a fault that passes has stopped, where that can do no harm. */
  const persistently = async (method: string, path: string, parts: Parts): Promise<Response> => {
    const mayRepeat = onlyReads(method, path) || idempotent.has(`${method} ${path}`);
    for (let tries = 1; ; tries += 1) {
      const isLast = !mayRepeat || tries >= attempts;
      try {
        const response = await attempt(method, path, parts);
        if (isLast || !isPassing(response)) return response;
        await wait(pauseAfter(response, pause * 2 ** (tries - 1)));
      } catch (error) {
        if (isLast) throw error;
        await wait(pause * 2 ** (tries - 1));
      }
    }
  };

  const signIn = async (): Promise<void> => {
    if (!options.user) return;
    token = undefined;
    const body = await bodyOf(await persistently('POST', tokenPath, { body: options.user }));
    token = String(body['access_token']);
  };

  const call = async (name: string, input: Parts = {}): Promise<unknown> => {
    const [method = '', path = ''] = name.split(' ');
    const parts = method === 'POST' ? { ...input, idempotencyKey: keyOf(input) } : input;
    if (token === undefined && path !== tokenPath) await signIn();
    const first = await persistently(method, path, parts);
    if (first.status !== 401 || !options.user || path === tokenPath) return bodyOf(first);
    // Nothing was done: the token had run out.
    await signIn();
    return bodyOf(await persistently(method, path, parts));
  };
  // The types of calls and replies come from the API document; nothing checks them at run time.
  const each = (name: string, input: Parts = {}) => eachItem((parts) => call(name, parts), input);
  return { call: call as Client['call'], each: each as Client['each'] };
};

/** The items of a list, page by page. */
async function* eachItem(call: (parts: Parts) => Promise<unknown>, input: Parts): AsyncGenerator<unknown, void> {
  let cursor: unknown;
  do {
    const body = { ...(input.body ?? {}), ...(cursor !== undefined && { cursor }) };
    const { list, next_cursor } = Object(await call({ ...input, body }));
    yield* list;
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/**
 * The field `threeDSecure` of a payment, from the result that the page's SDK returned. Only the authentication's number is used; the service looks up
 * the rest. Throws TypeError if the result has no number.
 */
export const threeDSecureOf = (result: string): { threeDSecure: string } => {
  const { authentication_id } = Object(JSON.parse(result));
  if (!Number.isSafeInteger(authentication_id)) throw new TypeError('The result has no authentication_id.');
  return { threeDSecure: JSON.stringify({ authentication_id }) };
};

/**
 * A signature if the operation accepts one, so that the rcode is not sent; otherwise the rcode. A body that is signed by its own `hash`
 * is not signed again: the hash names an order without a `tid`, and another signature would make another order of it.
 * `at`: milliseconds since 1970.
 */
const proofOf = async (name: string, secret: string, body: unknown, at: number): Promise<Record<string, string>> => {
  const isHashed = typeof body === 'object' && body !== null && 'hash' in body;
  if (isHashed || !signable.has(name)) return { rcode: secret };
  return { 'x-signature': await signatureOf(secret, body === undefined ? '' : JSON.stringify(body), at) };
};

/** The caller's key, or one of this call's own. */
const keyOf = ({ idempotencyKey, headers }: Parts): string =>
  idempotencyKey ?? new Headers(headers).get('idempotency-key') ?? crypto.randomUUID();

const targetOf = (path: string, parts: Parts): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(Object.entries(parts.path ?? {}).find(([key]) => key === name)?.[1] ?? '')),
  );
  const query = new URLSearchParams(
    Object.entries(parts.query ?? {}).map(([name, value]) => [name, String(value)]),
  ).toString();
  return `${filled}${query && `?${query}`}`;
};

const headersOf = ({ idempotencyKey, body, headers }: Parts, own: Record<string, string>): Headers => {
  const sent = new Headers({ ...own, ...(body !== undefined && { 'content-type': 'application/json' }) });
  for (const [name, value] of Object.entries(headers ?? {})) sent.set(name, value);
  if (idempotencyKey !== undefined) sent.set('idempotency-key', idempotencyKey);
  return sent;
};

/** `t=<Unix seconds>,v1=<hex HMAC-SHA256 of t, a full stop and the body>`. `now`: milliseconds. */
const signatureOf = async (rcode: string, body: string, now: number): Promise<string> => {
  const time = Math.floor(now / 1000);
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(rcode), algorithm, false, ['sign']);
  const bytes = await crypto.subtle.sign('HMAC', key, encoder.encode(`${time}.${body}`));
  const hex = Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `t=${time},v1=${hex}`;
};

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const pauseAfter = (response: Response, usual: number): number => {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : usual;
};

const bodyOf = async (response: Response): Promise<Record<string, unknown>> => {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const body = isJson ? JSON.parse(text) : { text };
  if (!response.ok) throw new ForewarnError(response.status, body, response.headers.get('x-request-id'));
  return body;
};
