import middy from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import formBodyParser from '@middy/http-urlencode-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import * as v from 'valibot';
import { alertIdOf, callNotes, numericIds } from '#core/kernel/call-ids.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { countInternalError, describeError, log } from '../log/log.ts';
import { bodyOfRefusal, Refusal, refusals } from '../operation/errors.ts';
import { isHead, refuseOtherMethods } from '../operation/methods.ts';
import type { Operation, Reply, Request } from '../operation/operation.ts';
import { admit, admitDiversion, admitSites, toCaller } from './access.ts';
import {
  bodyBytes,
  bodyText,
  checkEncoding,
  findBodyFormat,
  gatherLists,
  isAllowedForm,
  largestBytes,
  mediaTypeOf,
} from './body.ts';
import { decodeText, decompress } from './decode.ts';
import { canonicalForm } from './form.ts';
import { baseUrlOf, clientSubjectOf, sourceIpOf } from './gateway-event.ts';
import { canonicalJson } from './json.ts';
import { parse } from './parse.ts';
import { listRewrittenFields } from './rewritten-fields.ts';
import { securityHeaders } from './security-headers.ts';
import { listUnknownFields, withWarnings } from './unknown-fields.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * The input of a check that runs before the body is parsed: the exact text that was signed, and the subject of the client certificate that
 * the gateway has checked, if it asked for one.
 */
export type Unparsed = {
  headers: Headers;
  rawBody: string;
  /** The body as it was sent, before it was decompressed and decoded: what a signature is over. */
  rawBytes: Uint8Array;
  baseUrl: string;
  clientSubject: string | undefined;
};

/** The parts of a call that are known before its body is checked. */
type Unscreened<O extends Operation> = Pick<Request<O>, 'params' | 'sent' | 'headers' | 'rawBody'>;

/** Length of a body, in characters, above which checking it costs more than checking who sends it. */
const cheapCharacters = 4096;

type Options<O extends Operation = Operation> = {
  /** Reads a body of a format that few take: see core/platform/http/multipart.ts. */
  bodyParser?: middy.MiddlewareObj<APIGatewayProxyEvent>;
  /** Runs before the body is parsed; throws a Refusal. For calls that sign their bytes. */
  authenticate?: (request: Unparsed) => Promise<void>;
  /** Checks who sends a large body before the schema checks it, which takes a while; throws a Refusal. */
  screen?: (request: Unscreened<O>) => Promise<void>;
  /**
   * Called for each refusal of a call whose `authenticate` let it pass, before the refusal is returned; if it throws, the answer is a 500.
   */
  onRefusal?: (refusal: Refusal, request: Unparsed) => Promise<void>;
  /** Reads bodies in any charset and compression, which are refused otherwise; what cannot be decoded is refused after `authenticate`. */
  decodes?: true;
  /** Turns a refusal into a page, for operations that people open in a browser: see core/platform/http/page.ts. */
  errorPage?: (refusal: Refusal) => string;
  /** Turns a refusal into the JSON that the caller's protocol has for it. */
  errorBody?: (refusal: Refusal) => unknown;
  /** Sent with every reply that is not a refusal, and with pages of refusals. */
  headers?: Readonly<Record<string, string>>;
};

/** A reply that is sent with headers of its own, such as a cookie, in addition to those of its operation. */
export class WithHeaders<T> {
  readonly reply: T;
  readonly headers: Readonly<Record<string, string>>;
  constructor(reply: T, headers: Readonly<Record<string, string>>) {
    this.reply = reply;
    this.headers = headers;
  }
}

/** A reply under a status of its own, in the shape that the operation declares for it in `otherReplies`. */
export class WithStatus {
  readonly status: number;
  readonly reply: unknown;
  constructor(status: number, reply: unknown) {
    this.status = status;
    this.reply = reply;
  }
}

/** The caller already has it (`if-none-match`): 304, without a body. */
export class NotModified {
  readonly headers: Readonly<Record<string, string>>;
  constructor(headers: Readonly<Record<string, string>>) {
    this.headers = headers;
  }
}

type Internal = { started: number };
/** Events whose caller `authenticate` let pass. */
const authenticated = new WeakSet<Event>();
type Event = APIGatewayProxyEvent;
/** Each event's body before the parsers replaced it with what they read. */
const rawBodies = new WeakMap<Event, string>();
/** The same as bytes, of operations that decode it. */
const rawBytes = new WeakMap<Event, Uint8Array>();

/** The fields of each event's body that go into its log line. */
const notes = new WeakMap<Event, Readonly<Record<string, unknown>>>();

type Work = middy.Request<Event, APIGatewayProxyResult, Error, Context, Internal>;
type Middleware = middy.MiddlewareObj<Event, APIGatewayProxyResult, Error, Context, Internal>;

/**
 * Makes the Lambda handler of a declared operation: authorisation, parsing in and out, error shapes, request id and log
 * line. `run` receives and returns what the declaration promises.
 */
export const endpoint = <O extends Operation>(
  operation: O,
  run: (request: Request<O>) => Promise<Reply<O> | WithHeaders<Reply<O>> | WithStatus | NotModified>,
  { authenticate, bodyParser, decodes, errorBody, errorPage, onRefusal, screen, headers = {} }: Options<O> = {},
) =>
  middy<Event, APIGatewayProxyResult, Error, Context, Internal>({ timeoutEarlyInMillis: 0 })
    .use(answerWith(operation, { errorBody, errorPage, headers }, onRefusal))
    .use(receive(operation, decodes ?? false, authenticate))
    .use(guardBody(operation))
    .use(jsonBodyParser(onlyOwnType))
    .use(formBodyParser(onlyOwnType))
    .use(bodyParser ?? [])
    .handler(async (event: Event): Promise<APIGatewayProxyResult> => {
      const sent = operation.body && parsedBody(event.body);
      notes.set(event, callNotes(sent));
      const strange = listUnknownFields(operation, sent, event.headers['prefer']);
      const params = parse(operation.params ?? v.object({}), {
        ...event.queryStringParameters,
        ...event.pathParameters,
      });
      if (screen && (rawBodies.get(event) ?? '').length > cheapCharacters) {
        // As below: these are what the declaration infers its types from.
        const rawBody = rawBodies.get(event) ?? '';
        await screen({ params, sent: sent ?? {}, headers: event.headers, rawBody } as Unscreened<O>);
      }
      const body = operation.body && parse(operation.body, sent);
      const rewritten = listRewrittenFields(operation.body, sent, body);
      const request = {
        params,
        body,
        sent: sent ?? {},
        headers: event.headers,
        caller: toCaller(operation, event.requestContext.authorizer),
        requestId: event.requestContext.requestId,
        rawBody: rawBodies.get(event) ?? '',
        sourceIp: sourceIpOf(event),
        baseUrl: baseUrlOf(event),
      };
      admitSites(operation, request.caller, [params, request.body]);
      admitDiversion(operation, request.caller, request.body, nowIso());
      // The compiler cannot see that the schemas just used are those the declaration infers its types from.
      const made = await run(request as Request<O>);
      if (made instanceof NotModified) return { statusCode: 304, headers: { ...headers, ...made.headers }, body: '' };
      if (made instanceof WithStatus) return otherwise(operation, made, headers);
      const [reply, own] = made instanceof WithHeaders ? [made.reply, made.headers] : [made, {}];
      const alertId = alertIdOf(event.pathParameters, sent, reply);
      if (alertId !== undefined) notes.set(event, { ...notes.get(event), alertId });
      return success(operation, withWarnings(v.parse(operation.reply, reply), [...strange, ...rewritten]), {
        ...headers,
        ...own,
      });
    });

type Appearance = {
  errorBody: Options['errorBody'];
  errorPage: Options['errorPage'];
  headers: NonNullable<Options['headers']>;
};

/** Outermost: lower-case headers before, request id and log line after, refusals to replies on an error. */
const answerWith = (operation: Operation, options: Appearance, onRefusal: Options['onRefusal']): Middleware => ({
  before: (request) => {
    request.internal.started = performance.now();
    request.event.headers = lowerCased(request.event.headers);
    refuseOtherMethods(operation, request.event.httpMethod);
    const circumstances = { at: nowIso(), sourceIp: sourceIpOf(request.event) };
    admit(operation, request.event.requestContext.authorizer, circumstances);
  },
  after: (request) => finish(operation, request),
  onError: async (request) => {
    request.error ??= new Error('Failed without an error');
    const { error, event } = request;
    if (onRefusal && error instanceof Refusal && authenticated.has(event)) {
      await onRefusal(error, toUnparsed(event)).catch((broken: Error) => {
        request.error = broken;
      });
    }
    request.response = failure(request.error, operation, options);
    finish(operation, request);
  },
});

const toUnparsed = (event: Event): Unparsed => ({
  headers: event.headers,
  rawBody: rawBodies.get(event) ?? '',
  rawBytes: rawBytes.get(event) ?? Buffer.from(rawBodies.get(event) ?? ''),
  baseUrl: baseUrlOf(event),
  clientSubject: clientSubjectOf(event),
});

const finish = (operation: Operation, { response, error, event, internal }: Work): void => {
  if (!response) return;
  const requestId = event.requestContext.requestId;
  response.headers = {
    'cache-control': 'no-store',
    ...response.headers,
    ...securityHeaders,
    'x-request-id': requestId,
  };
  if (isHead(operation, event.httpMethod)) Object.assign(response, { body: '', isBase64Encoded: false });
  const name = `${operation.area}/${operation.name}`;
  if (response.statusCode === 500) countInternalError(name);
  log(response.statusCode >= 500 ? 'error' : 'info', 'request', {
    requestId,
    operation: name,
    status: response.statusCode,
    milliseconds: Math.round(performance.now() - internal.started),
    subject: event.requestContext.authorizer?.['subject'],
    mid: event.requestContext.authorizer?.['mid'],
    sourceIp: sourceIpOf(event),
    ids: numericIds(event.pathParameters),
    ...notes.get(event),
    ...(error && { error: error instanceof Refusal ? refusalForLog(error) : describeError(error) }),
  });
};

const refusalForLog = ({ code, details, cause }: Refusal) => ({
  code,
  details,
  ...(cause === undefined ? {} : { cause: describeError(cause) }),
});

/** The body in whatever charset and compression it has; one that cannot be decompressed as base64. Keeps its bytes. */
const decodeBody = (event: Event): { text: string; isUnknown: boolean } => {
  const bytes = bodyBytes(event.body, event.isBase64Encoded);
  rawBytes.set(event, bytes);
  const contentType = event.headers['content-type'] ?? '';
  const plain = decompress(bytes, event.headers['content-encoding'] ?? '', largestBytes);
  event.headers['content-type'] = contentType.replace(/;\s*charset\s*=\s*(?:"[^"]*"|[^\s;]*)/i, '');
  return plain
    ? { text: decodeText(plain, contentType), isUnknown: false }
    : { text: `base64:${Buffer.from(bytes).toString('base64')}`, isUnknown: true };
};

/** Before a parser sees the body: its size, its encoding, the caller's signature, its content type; in this order. */
const receive = (
  { body, formats = ['json'] }: Operation,
  decodes: boolean,
  authenticate?: Options['authenticate'],
): Middleware => ({
  before: async ({ event }) => {
    const decoded = decodes ? decodeBody(event) : undefined;
    if (!decodes) checkEncoding(event.headers['content-encoding']);
    const text = decoded?.text ?? bodyText(event.body, event.isBase64Encoded);
    rawBodies.set(event, text);
    if (authenticate) {
      await authenticate(toUnparsed(event));
      authenticated.add(event);
    }
    if (decoded?.isUnknown) throw new Refusal('request_invalid', 'body: its Content-Encoding is unknown or wrong.');
    const isEmpty = !body || text.trim() === '';
    const isForm = body !== undefined && isAllowedForm(event.headers['content-type'], formats);
    // An absent body is an empty object, whatever its content type says; only a form without fields stays a form.
    if (isEmpty && !isForm) event.headers['content-type'] = 'application/json';
    else findBodyFormat(event.headers['content-type'], formats);
    event.body = isEmpty ? (isForm ? '' : '{}') : text.replace(/^\ufeff/, '');
    event.isBase64Encoded = false;
  },
});

/** Each parser leaves bodies of other content types alone. */
const onlyOwnType = { disableContentTypeError: true };

/** Refuses bodies that a parser would misread, and hands it the others in one spelling; a multipart form stays as it is. */
const guardBody = ({ formats = ['json'] }: Operation): Middleware => ({
  before: ({ event }) => {
    const format = findBodyFormat(event.headers['content-type'], ['json', ...formats]);
    if (format === 'multipart') return;
    event.headers['content-type'] = mediaTypeOf(format);
    event.body = (format === 'form' ? canonicalForm : canonicalJson)(event.body ?? '');
  },
});

/** The body as the parsers left it. */
const parsedBody = (body: unknown): Record<string, unknown> => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal('request_invalid', 'body: must be an object.');
  }
  return gatherLists({ ...body });
};

const failure = (
  error: Error,
  { errorShape = 'plain' }: Operation,
  { errorBody, errorPage, headers }: Appearance,
): APIGatewayProxyResult => {
  const refusal = error instanceof Refusal ? error : new Refusal('internal');
  if (errorPage) {
    const { status: statusCode } = refusals[refusal.code];
    return {
      statusCode,
      headers: { ...headers, ...refusal.headers, 'content-type': 'text/html; charset=utf-8' },
      body: errorPage(refusal),
    };
  }
  return json(
    refusals[refusal.code].status,
    errorBody?.(refusal) ?? bodyOfRefusal(refusal, errorShape === 'transaction' ? errorShape : 'plain'),
    refusal.headers,
  );
};

const success = (
  { replyType }: Operation,
  reply: unknown,
  headers: Readonly<Record<string, string>>,
): APIGatewayProxyResult => {
  if (replyType === undefined) return json(200, reply, headers);
  const sent = { statusCode: 200, headers: { 'content-type': replyType, ...headers } };
  return reply instanceof Uint8Array
    ? { ...sent, body: Buffer.from(reply).toString('base64'), isBase64Encoded: true }
    : { ...sent, body: String(reply) };
};

/** Throws for a status that the operation does not declare. */
const otherwise = (
  { otherReplies = {} }: Operation,
  { status, reply }: WithStatus,
  headers: Readonly<Record<string, string>>,
): APIGatewayProxyResult => {
  const schema = otherReplies[status];
  if (!schema) throw new Error(`The operation declares no answer with status ${status}`);
  return json(status, v.parse(schema, reply), headers);
};

const json = (
  statusCode: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

const lowerCased = (headers: Headers | null | undefined): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
