import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import type { FunctionRunner } from '../functions/function-runner.ts';
import { account, region } from '../template/resolver.ts';
import { type AccessLogDefinition, createAccessLog } from './access-log.ts';
import type { Authorization } from './authorization.ts';
import { gatewayReply, type HttpReply, type ResponseType } from './gateway-responses.ts';
import { proxyEvent, type ReceivedRequest } from './proxy-event.ts';
import { readBody } from './request-body.ts';
import type { RequestLimits } from './request-limits.ts';
import { createRouter, type Definition, type Match, readRoutes } from './routes.ts';

const ProxyReply = v.object({
  statusCode: v.pipe(
    v.union([v.number(), v.string()]),
    v.transform(Number),
    v.integer(),
    v.minValue(100),
    v.maxValue(599),
  ),
  headers: v.nullish(v.record(v.string(), v.nullish(v.union([v.string(), v.number(), v.boolean()])))),
  multiValueHeaders: v.nullish(v.record(v.string(), v.array(v.union([v.string(), v.number(), v.boolean()])))),
  body: v.nullish(v.string()),
  isBase64Encoded: v.nullish(v.boolean()),
});

export type GatewayParts = {
  definition: Definition;
  stage: string;
  runner: FunctionRunner;
  authorization: Authorization;
  clock: Clock;
  /** True if the gateway gives up on functions that take longer than it waits. */
  timeLimits: boolean;
  /** Why nothing can be written, such as a full disk, which DynamoDB never has; undefined if it can. */
  writeProblem?: () => string | undefined;
  /** The refusals of the firewall and the throttles; absent: none. */
  limits?: RequestLimits | undefined;
  /** Absent: nothing reads it. */
  accessLog?: AccessLogDefinition;
};

/** The facts of a call that are known when it is logged, however far it came. */
type Seen = { requestId: string; route?: string; subject?: string };

/** An answer of the gateway itself, and the authorizer's context with it. */
type Own = { response: ResponseType; context?: Readonly<Record<string, unknown>> };

export type Gateway = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Answers requests as the deployed gateway would: routes, authorizer, integration, its own answers and limits. */
export const createGateway = (parts: GatewayParts): Gateway => {
  const router = createRouter(readRoutes(parts.definition));
  const responses = parts.definition['x-amazon-apigateway-gateway-responses'];
  const logAccess = parts.accessLog && createAccessLog(parts.accessLog, parts.runner);
  return async (request, response) => {
    const seen: Seen = { requestId: randomUUID() };
    const { requestId } = seen;
    const [at, started] = [parts.clock.now(), performance.now()];
    const outcome = await answerRequest(parts, router, request, seen);
    const reply =
      'response' in outcome ? gatewayReply(responses, outcome.response, requestId, outcome.context) : outcome;
    const sent = compress(parts.definition, request, reply);
    send(request, response, { ...sent, headers: { 'x-amzn-requestid': requestId, ...sent.headers } });
    logAccess?.({
      'context.requestId': requestId,
      'context.requestTimeEpoch': at,
      'context.httpMethod': request.method,
      'context.stage': parts.stage,
      'context.resourcePath': seen.route,
      'context.status': reply.status,
      'context.responseLatency': Math.round(performance.now() - started),
      'context.authorizer.subject': seen.subject,
    });
  };
};

/** Compresses a large reply for a caller that names gzip, unless its function has compressed it. */
const compress = (definition: Definition, { headers }: IncomingMessage, reply: HttpReply): HttpReply => {
  const isAccepted = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(headers['accept-encoding'] ?? ''));
  const isLarge = Buffer.byteLength(reply.body) >= definition['x-amazon-apigateway-minimum-compression-size'];
  if (!isAccepted || !isLarge || reply.headers['content-encoding'] !== undefined) return reply;
  return { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' }, body: gzipSync(reply.body) };
};

const answerRequest = async (
  parts: GatewayParts,
  router: ReturnType<typeof createRouter>,
  request: IncomingMessage,
  seen: Seen,
): Promise<HttpReply | Own> => {
  const url = new URL(`http://local${request.url?.startsWith('/') ? request.url : '/'}`);
  const refused = parts.limits?.admitAddress(
    request.socket.remoteAddress ?? '',
    `/${parts.stage}${url.pathname}`,
    parts.clock.now(),
  );
  if (refused) return { response: refused };
  const match = tryMatch(router, request.method ?? 'GET', url.pathname);
  if (match === 'malformed') return { response: 'BAD_REQUEST_PARAMETERS' };
  if (!match) return { response: 'MISSING_AUTHENTICATION_TOKEN' };
  const { route } = match;
  seen.route = route.resource;
  const throttled = parts.limits?.admitMethod(request.method ?? '', route.resource, parts.clock.now());
  if (throttled) return { response: throttled };
  const methodArn = `arn:aws:execute-api:${region}:${account}:local/${parts.stage}/${request.method}${url.pathname}`;
  const token = route.authorizer && request.headers[route.authorizer.header];
  const verdict = route.authorizer
    ? await parts.authorization.judge(route.authorizer, token?.toString(), methodArn)
    : ({ isAllowed: true, context: {} } as const);
  if (!verdict.isAllowed) return verdict;
  const { subject }: Readonly<Record<string, unknown>> = verdict.context;
  if (typeof subject === 'string') seen.subject = subject;
  const unwritable = url.pathname === '/health' ? parts.writeProblem?.() : undefined;
  if (unwritable !== undefined) return unhealthy(unwritable);
  const body = await readBody(request);
  if (!body) return { response: 'REQUEST_TOO_LARGE' };
  const received: ReceivedRequest = {
    request,
    url,
    body,
    requestId: seen.requestId,
    match,
    authorizer: verdict.context,
  };
  const event = proxyEvent(received, parts);
  return integrate(parts, match, event);
};

/** The check reads alone, and reads succeed on a full disk. */
const unhealthy = (problem: string): HttpReply => ({
  status: 503,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify({ status: 'error', msg: `Nothing can be stored: ${problem}` }),
});

const tryMatch = (router: ReturnType<typeof createRouter>, method: string, path: string) => {
  try {
    return router(method, path);
  } catch (error) {
    if (error instanceof URIError) return 'malformed';
    throw error;
  }
};

const integrate = async (parts: GatewayParts, { route }: Match, event: unknown): Promise<HttpReply | Own> => {
  const { runner, timeLimits } = parts;
  const definition = runner.find(route.functionArn);
  // A deployed function is built before it is called: building does not count.
  await runner.load(definition);
  const timeout = Promise.withResolvers<undefined>();
  const timer = timeLimits ? setTimeout(() => timeout.resolve(undefined), route.timeoutMilliseconds) : undefined;
  const invocation = await Promise.race([runner.invoke(definition, event), timeout.promise]);
  clearTimeout(timer);
  if (!invocation) return { response: 'INTEGRATION_TIMEOUT' };
  const reply = v.safeParse(ProxyReply, invocation.result);
  if (invocation.error || !reply.success) return { response: 'DEFAULT_5XX' };
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = reply.output;
  return {
    status: statusCode,
    headers: { ...singleHeaders(headers), ...listHeaders(multiValueHeaders) },
    body: isBase64Encoded ? Buffer.from(body ?? '', 'base64') : (body ?? ''),
  };
};

type ProxyReply = v.InferOutput<typeof ProxyReply>;

const singleHeaders = (headers: ProxyReply['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers ?? {}).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name.toLowerCase(), String(value)]],
    ),
  );

const listHeaders = (headers: ProxyReply['multiValueHeaders']): Record<string, string[]> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, values]) => [name.toLowerCase(), values.map(String)]));

/** Sends a reply; what is left of a request that was not read to its end is thrown away and the connection closed. */
export const send = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: HttpReply,
): void => {
  const isUnread = !request.complete;
  const bytes = Buffer.from(body);
  const isHead = request.method === 'HEAD';
  response.writeHead(status, {
    ...headers,
    // The length of a GET's answer, which is not known.
    ...(!isHead && { 'content-length': String(bytes.length) }),
    ...(isUnread && { connection: 'close' }),
  });
  response.end(isHead ? undefined : bytes);
  if (isUnread) discardRest(request);
};

/** A client reads the answer only after it has sent its body: it gets a moment for that before it is cut off. */
const discardRest = (request: IncomingMessage): void => {
  request.on('error', () => request.destroy());
  request.resume();
  setTimeout(() => request.socket.destroy(), 2000).unref();
};
