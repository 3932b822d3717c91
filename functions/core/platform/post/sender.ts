import { isIP } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { checkWebhookUrl } from '#core/kernel/webhook-url.ts';
import { decodeText, decompress } from '../http/decode.ts';
import { connectionPool, idleMilliseconds } from './connection-pool.ts';
import type { ErrorClass } from './error-class.ts';
import { guardedLookup, type LookupRules, SendError } from './guarded-lookup-client.ts';

/** The result of one POST. It contains nothing that was sent, so it can be shown and logged. */
export type Attempt = {
  /** The reply's status, even if the reply then broke off; null if none came. */
  status: number | null;
  error: ErrorClass | null;
  /** The reply's first 16 KiB as text, without control characters; empty if it is compressed and cannot be decoded. */
  response: string;
  responseTruncated: boolean;
  /** The reply's Content-Encoding, if it cannot be decoded. */
  undecoded?: string;
  latencyMilliseconds: number;
};

type WebhookRequest = { url: string; headers: Readonly<Record<string, string>>; body: string };

export type SenderSettings = LookupRules & { timeoutMilliseconds?: number };

export type Sender = {
  /** Never throws for anything the other side does. */
  post(request: WebhookRequest): Promise<Attempt>;
  /** Waits for what is under way, then closes every connection. */
  close(): Promise<void>;
};

const replyBytes = 16 * 1024;
const connectionsPerOrigin = 10;
/** Node's 250 ms per address gives up on distant hosts that have a second, unreachable address. */
const addressAttemptMilliseconds = 2500;

/**
 * Opens connections to allowed addresses only. The addresses are looked up once per connection, and only those that
 * were checked are connected to, so an answer that changes in between has no effect. Literal addresses, which need no
 * lookup, are checked directly.
 */
const guardedConnector = (settings: SenderSettings, timeoutMilliseconds: number): buildConnector.connector => {
  const { lookup, mayConnect } = guardedLookup(settings);
  const connect = buildConnector({
    allowH2: false,
    timeout: timeoutMilliseconds,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: addressAttemptMilliseconds,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
  });
  return (options, callback) => {
    if (isIP(options.hostname) !== 0 && !mayConnect(options.hostname, options.hostname)) {
      queueMicrotask(() => callback(new SendError('address_refused'), null));
      return;
    }
    connect(options, (...[error, socket]) =>
      error
        ? callback(new SendError(connectClass(error, options.protocol), { cause: error }), null)
        : callback(null, socket),
    );
  };
};

const socketCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const brokenOff = /^(?:ECONNRESET|EPIPE|ECONNABORTED)$/;
const unreachable = /^(?:ECONNREFUSED|E(?:HOST|NET)(?:UNREACH|DOWN)|EADDRNOTAVAIL|EACCES|EPERM|ENOBUFS|EMFILE)$/;

const connectClass = (error: unknown, protocol: string): ErrorClass => {
  if (error instanceof SendError) return error.errorClass;
  const code = socketCode(error);
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timeout';
  if (brokenOff.test(code)) return 'reset';
  return protocol === 'http:' || unreachable.test(code) ? 'connect' : 'tls';
};

/** undefined for a sender used after it was closed; everything else is the other side's doing. */
const classifyError = (error: unknown, hasBegun: boolean): ErrorClass | undefined => {
  if (error instanceof SendError) return error.errorClass;
  const code = socketCode(error);
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return undefined;
  if (code === 'UND_ERR_INVALID_ARG') return 'request_invalid';
  if (code === 'UND_ERR_SOCKET') return error instanceof Error && /^bad /.test(error.message) ? 'protocol' : 'reset';
  // A reply shorter than its content-length; before its head has ended, the same code means a malformed head.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return hasBegun ? 'reset' : 'protocol';
  if (/^E[A-Z]+$/.test(code)) return 'reset';
  return code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') ? 'tls' : 'protocol';
};

/** Every control character but line feed, carriage return and tab. */
const controls = /[^\P{Cc}\n\r\t]/gu;

/** Bytes as text, at most 16 KiB of it: a byte that is not UTF-8 becomes three, and attempts are stored. */
const readText = (bytes: Uint8Array, isCutOff: boolean, contentType: string): { text: string; isCutOff: boolean } => {
  const decoded = isCutOff ? new TextDecoder().decode(bytes, { stream: true }) : decodeText(bytes, contentType);
  const text = decoded.replace(controls, '');
  const encoded = Buffer.from(text);
  if (encoded.length <= replyBytes) return { text, isCutOff };
  return { text: new TextDecoder().decode(encoded.subarray(0, replyBytes), { stream: true }), isCutOff: true };
};

type Headers = Readonly<Record<string, string | string[] | undefined>>;
const firstHeader = (headers: Headers, name: string): string | null => [headers[name]].flat()[0] ?? null;

/** The known part of a reply; it is kept when the reply breaks off. */
type Reply = { status: number | null; headers: Headers; chunks: Uint8Array[]; isWhole: boolean };

const toAttempt = (reply: Reply, error: ErrorClass | null, latencyMilliseconds: number): Attempt => {
  const { status, headers, chunks, isWhole } = reply;
  const encoding = firstHeader(headers, 'content-encoding')?.trim() ?? '';
  const isPlain = /^(?:identity)?$/i.test(encoding);
  const bytes =
    isPlain || !isWhole
      ? Buffer.concat(isPlain ? chunks : [])
      : decompress(Buffer.concat(chunks), encoding, replyBytes);
  const contentType = firstHeader(headers, 'content-type') ?? '';
  const { text, isCutOff } = readText(bytes ?? new Uint8Array(), !isWhole || bytes === undefined, contentType);
  return {
    status,
    error: error ?? (status !== null && status >= 300 && status < 400 ? 'redirect' : null),
    response: text,
    responseTruncated: status !== null && isCutOff,
    ...(status !== null && !isPlain && (bytes === undefined || !isWhole) && { undecoded: encoding }),
    latencyMilliseconds,
  };
};

/** The state of one exchange: under way until `end` reports a problem, if any, or `fail` an error of the sender itself. */
type Exchange = {
  isOver: boolean;
  controller?: Dispatcher.DispatchController;
  end(error: ErrorClass | null): void;
  fail(error: unknown): void;
};

/** Fills in `reply` as far as it arrives, to its end or past 16 KiB. What comes after the exchange's end changes nothing. */
const readInto = (reply: Reply, exchange: Exchange): Dispatcher.DispatchHandler => {
  let room = replyBytes;
  return {
    onRequestStart: (controller) => {
      exchange.controller = controller;
      // It waited too long for a connection.
      if (exchange.isOver) controller.abort(new SendError('timeout'));
    },
    onResponseStart: (_, status, headers) => {
      if (exchange.isOver || status < 200) return;
      reply.status = status;
      reply.headers = headers;
    },
    onResponseData: (controller, chunk) => {
      if (exchange.isOver) return;
      reply.chunks.push(chunk.subarray(0, room));
      room -= chunk.length;
      if (room >= 0) return;
      exchange.end(null);
      controller.abort(new SendError('reset'));
    },
    onResponseEnd: () => {
      if (exchange.isOver) return;
      reply.isWhole = true;
      exchange.end(null);
    },
    onResponseError: (_, error) => {
      if (exchange.isOver) return;
      const errorClass = classifyError(error, reply.status !== null);
      if (errorClass === undefined) exchange.fail(error);
      else exchange.end(errorClass);
    },
  };
};

/**
 * Sends one request and fills in `reply`; returns what went wrong. It uses undici's handlers: as a stream, the reply would
 * cost as much as everything else.
 */
const send = (
  agent: Agent,
  url: URL,
  { headers, body }: WebhookRequest,
  reply: Reply,
  timeoutMilliseconds: number,
): Promise<ErrorClass | null> => {
  const { promise, resolve, reject } = Promise.withResolvers<ErrorClass | null>();
  const exchange: Exchange = {
    isOver: false,
    end(error) {
      exchange.isOver = true;
      clearTimeout(timer);
      resolve(error);
    },
    fail(error) {
      clearTimeout(timer);
      reject(error);
    },
  };
  const timer = setTimeout(() => {
    exchange.end('timeout');
    exchange.controller?.abort(new SendError('timeout'));
  }, timeoutMilliseconds);
  const path = url.pathname + url.search;
  agent.dispatch(
    { origin: url.origin, path, method: 'POST', headers: { ...headers, 'accept-encoding': 'identity' }, body },
    readInto(reply, exchange),
  );
  return promise;
};

/**
 * A client for POSTs to URLs that merchants chose. It calls public addresses only (see `checkWebhookUrl`), verifies
 * certificates, follows no redirect, decompresses nothing, reads 16 KiB of a reply, and gives each POST one deadline from the
 * name's lookup to the last byte. Connections are kept for the next POST to the same origin, ten at most: further ones
 * wait within their own deadline.
 */
export const createSender = (settings: SenderSettings): Sender => {
  const { timeoutMilliseconds = 15_000 } = settings;
  const pool = connectionPool(
    () =>
      new Agent({
        allowH2: false,
        connect: guardedConnector(settings, timeoutMilliseconds),
        connections: connectionsPerOrigin,
        keepAliveTimeout: idleMilliseconds,
        keepAliveMaxTimeout: idleMilliseconds,
        maxHeaderSize: 16 * 1024,
        // The deadline limits both, and more exactly.
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
  );

  return {
    async post(request) {
      const reply: Reply = { status: null, headers: {}, chunks: [], isWhole: false };
      const checked = checkWebhookUrl(request.url, settings);
      if (!checked.ok) return toAttempt(reply, checked.reason === 'host' ? 'address_refused' : 'url_refused', 0);
      const begin = performance.now();
      const error = await pool.use((agent) => send(agent, checked.url, request, reply, timeoutMilliseconds));
      return toAttempt(reply, error, Math.round(performance.now() - begin));
    },
    close: () => pool.close(),
  };
};
