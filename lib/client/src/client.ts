import { idempotent, methods, signable, version } from './operations.ts';
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
  /** Milliseconds for each attempt. Default: 30,000. */
  timeout?: number;
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
  /** The address of the code's page, on the service. */
  readonly doc: string | undefined;
  /** To give to the operator. */
  readonly requestId: string | undefined;
  constructor(status: number, body: Record<string, unknown>, requestId: string | null) {
    const text = (name: string) => (typeof body[name] === 'string' ? body[name] : undefined);
    super([text('msg') ?? text('error_msg') ?? `Status ${status}`, text('details')].filter(Boolean).join(': '));
    this.status = status;
    this.code = text('code') ?? text('error_code');
    this.details = text('details');
    this.doc = text('doc');
    this.requestId = requestId ?? undefined;
  }
}

/** No answer came, or one that cannot be read. Whether the service did what was asked is not known. `cause`: the error beneath. */
export class ForewarnConnectionError extends Error {
  override readonly name = 'ForewarnConnectionError';
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

/** Each operation as a method, by its heading in the API reference: `client.alerts.listAlerts({ body: {} })`. */
export type Methods = {
  [Group in keyof typeof methods]: {
    [Method in keyof (typeof methods)[Group]]: (typeof methods)[Group][Method] extends Name
      ? (
          ...input: Arguments<(typeof methods)[Group][Method]>
        ) => Promise<Operations[(typeof methods)[Group][Method]]['reply']>
      : never;
  };
};

export type Client = Methods & {
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

type Answer = { status: number; headers: Headers; body: Record<string, unknown> };

const tokenPath = '/api/v2/index.php/gettoken';
const minPause = 250;
const usualAttempts = 4;
const usualTimeout = 30_000;
/** The longest that `retry-after` is followed, in milliseconds. */
const longestWait = 30_000;
const agent = `forewarn-typescript/${version}`;
/** A conflict that passes has retry-after: the first attempt with the same key is in progress. */
const isWorthRetry = ({ status, headers }: Answer): boolean =>
  status === 429 || status >= 500 || (status === 409 && headers.has('retry-after'));

/** Operations that only read by their names, though they are called by POST as they have fields; see the guide "Errors and idempotency". */
const onlyReads = (method: string, path: string): boolean =>
  method === 'GET' || /(?:\/list|\/details|\/search|\/status|\/pulse|gettoken)$/.test(path);

/** The token of the calls. Those that need a new one at the same time wait for one sign-in. */
const createTokenKeeper = (first: string | undefined, signIn: () => Promise<string>) => {
  let token = first;
  let signingIn: Promise<void> | undefined;
  const renew = async () => {
    token = undefined;
    token = await signIn();
  };
  return {
    current: () => token,
    /** `old`: the token that the service refused, or none. */
    replace: async (old: string | undefined): Promise<void> => {
      if (token !== old && !signingIn) return;
      signingIn ??= renew().finally(() => {
        signingIn = undefined;
      });
      await signingIn;
    },
  };
};

/** Makes one attempt of a call. Throws ForewarnConnectionError. */
const createSender = (options: ClientOptions, token: () => string | undefined) => {
  const { url, rcode, timeout = usualTimeout, fetch: send = fetch, now = Date.now } = options;
  const base = url.replace(/\/+$/, '');
  return async (method: string, path: string, parts: Parts): Promise<Answer> => {
    const body = parts.body === undefined ? undefined : JSON.stringify(parts.body);
    const bearer = token();
    const headers = {
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(rcode !== undefined && (await makeProof(`${method} ${path}`, rcode, parts.body, now()))),
    };
    const call = {
      ...{ method, headers: makeHeaders(parts, headers), redirect: 'manual' as const },
      ...(body !== undefined && { body }),
    };
    try {
      const response = await send(`${base}${toUrl(path, parts)}`, { ...call, signal: AbortSignal.timeout(timeout) });
      return { status: response.status, headers: response.headers, body: await replyBody(response) };
    } catch (cause) {
      const words = cause instanceof Error ? cause.message : String(cause);
      throw new ForewarnConnectionError(`The service gave no answer that can be read: ${words}`, { cause });
    }
  };
};

/** A client of one service, as one user or one site. */
export const createClient = (options: ClientOptions): Client => {
  const { user, attempts = usualAttempts, pause = minPause } = options;
  const attempt = createSender(options, () => tokens.current());

  /** Tries again what a broken connection or a fault that passes has stopped, where that can do no harm. */
  const persistently = async (method: string, path: string, parts: Parts): Promise<Answer> => {
    const mayRepeat = onlyReads(method, path) || idempotent.has(`${method} ${path}`);
    for (let tries = 1; ; tries += 1) {
      const isLast = !mayRepeat || tries >= attempts;
      const usual = spread(pause * 2 ** (tries - 1));
      try {
        const answer = await attempt(method, path, parts);
        if (isLast || !isWorthRetry(answer)) return answer;
        await wait(pauseAfter(answer, usual));
      } catch (error) {
        if (isLast) throw error;
        await wait(usual);
      }
    }
  };
  const tokens = createTokenKeeper(options.apiKey ?? options.token, async () =>
    String(acceptReply(await persistently('POST', tokenPath, { body: user }))['access_token']),
  );

  const call = async (name: string, input: Parts = {}): Promise<Record<string, unknown>> => {
    const [method = '', path = ''] = name.split(' ');
    const parts = method === 'POST' ? { ...input, idempotencyKey: pickKey(input) } : input;
    const signsIn = user !== undefined && path !== tokenPath;
    if (signsIn && tokens.current() === undefined) await tokens.replace(undefined);
    const used = tokens.current();
    const first = await persistently(method, path, parts);
    if (first.status !== 401 || !signsIn) return acceptReply(first);
    // Nothing was done: the token had run out.
    await tokens.replace(used);
    return acceptReply(await persistently(method, path, parts));
  };
  return makeClient(call);
};

/** The types of calls and replies come from the API document; nothing checks them at run time. */
const makeClient = (call: (name: string, input?: Parts) => Promise<unknown>): Client => {
  const groups = Object.entries(methods).map(([group, names]) => {
    const own = Object.entries(names).map(([method, name]) => [method, (input?: Parts) => call(name, input)]);
    return [group, Object.fromEntries(own)];
  });
  const each = (name: string, input: Parts = {}) => eachItem((parts) => call(name, parts), input);
  return { ...(Object.fromEntries(groups) as Methods), call: call as Client['call'], each: each as Client['each'] };
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
const makeProof = async (name: string, secret: string, body: unknown, at: number): Promise<Record<string, string>> => {
  const isHashed = typeof body === 'object' && body !== null && 'hash' in body;
  if (isHashed || !signable.has(name)) return { rcode: secret };
  return { 'x-signature': await signBody(secret, body === undefined ? '' : JSON.stringify(body), at) };
};

/** The caller's key, or one of this call's own. */
const pickKey = ({ idempotencyKey, headers }: Parts): string =>
  idempotencyKey ?? new Headers(headers).get('idempotency-key') ?? crypto.randomUUID();

const toUrl = (path: string, parts: Parts): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(Object.entries(parts.path ?? {}).find(([key]) => key === name)?.[1] ?? '')),
  );
  const query = new URLSearchParams(
    Object.entries(parts.query ?? {}).map(([name, value]) => [name, String(value)]),
  ).toString();
  return `${filled}${query && `?${query}`}`;
};

const makeHeaders = ({ idempotencyKey, body, headers }: Parts, own: Record<string, string>): Headers => {
  const sent = new Headers({
    'user-agent': agent,
    ...own,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  });
  for (const [name, value] of Object.entries(headers ?? {})) sent.set(name, value);
  if (idempotencyKey !== undefined) sent.set('idempotency-key', idempotencyKey);
  return sent;
};

/** `t=<Unix seconds>,v1=<hex HMAC-SHA256 of t, a full stop and the body>`. `now`: milliseconds. */
const signBody = async (rcode: string, body: string, now: number): Promise<string> => {
  const time = Math.floor(now / 1000);
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(rcode), algorithm, false, ['sign']);
  const bytes = await crypto.subtle.sign('HMAC', key, encoder.encode(`${time}.${body}`));
  const hex = Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `t=${time},v1=${hex}`;
};

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** From half of a pause to all of it, so that callers that failed together do not return together. */
const spread = (milliseconds: number): number => milliseconds * (0.5 + Math.random() / 2);

const pauseAfter = ({ headers }: Answer, usual: number): number => {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, longestWait) + spread(minPause) : usual;
};

/** A fault that passes may come from what stands before the service, as a page. */
const replyBody = async (response: Response): Promise<Record<string, unknown>> => {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return isJson ? JSON.parse(text) : { text };
};

const acceptReply = ({ status, headers, body }: Answer): Record<string, unknown> => {
  if (status >= 200 && status < 300) return body;
  throw new ForewarnError(status, body, headers.get('x-request-id'));
};
