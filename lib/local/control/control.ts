import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import type { Mailbox } from '../aws/mail.ts';
import type { Queues } from '../aws/queues.ts';
import type { Clock } from '../clock.ts';
import { durationMilliseconds, instantMilliseconds } from '../duration.ts';
import { send } from '../gateway/gateway.ts';
import type { HttpReply } from '../gateway/gateway-responses.ts';
import { readBody } from '../gateway/request-body.ts';
import { foreignCallProblem } from '../loopback.ts';
import { NetworkFault, type NetworkName, networkNames } from '../networks/network.ts';
import { type Networks, networkReply } from '../networks/networks.ts';
import { SinkAnswer, type Sinks } from './sink-answers.ts';
import { createTestIssuer, type TestIssuer } from './test-issuer.ts';
import type { TimeTravel } from './time-travel.ts';

export type ControlParts = {
  clock: Clock;
  time: TimeTravel;
  queues: Queues;
  mailbox: Mailbox;
  sinks: Sinks;
  networks: Networks;
  credentials: () => Promise<unknown>;
  reset: () => Promise<void>;
  /** Keeps a function, by its deployed name, from being fed by its queue until the returned function is called. */
  hold: (name: string) => Promise<() => void>;
};

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const clockWords = 'give either advance, a duration such as PT12H, or set, an instant such as 2026-05-02T12:00:00Z';
const ClockMove = v.union(
  [
    v.object({ advance: v.pipe(v.string(), v.transform(durationMilliseconds), v.number()) }),
    v.object({ set: v.pipe(v.string(), v.transform(instantMilliseconds), v.number()) }),
  ],
  clockWords,
);

type Call = { request: IncomingMessage; body: string; name: string };
type Action = (call: Call) => unknown;

/** The calls under `/_local`: they look into the stack and move its time. They exist nowhere else. */
export const createControl = (
  parts: ControlParts,
): ((request: IncomingMessage, response: ServerResponse) => Promise<void>) => {
  const actions = makeActions(parts);
  const issuer = createTestIssuer(parts.clock);
  return async (request, response) => {
    const [, held] = /^\/_local\/hold\/([^/?]+)$/.exec(request.url ?? '') ?? [];
    if (held !== undefined && !foreignCallProblem(request.headers))
      return holdWhile(parts, response, decodeURIComponent(held));
    const reply = await answerControl(parts, actions, issuer, request).catch((error: unknown) => {
      if (error instanceof Refused) return json(error.status, { msg: 'Refused', details: error.message });
      throw error;
    });
    // A network that was instructed to break off the connection.
    if (!reply) response.destroy();
    else send(request, response, reply);
  };
};

/** For as long as the caller keeps the connection open, however it ends. */
const holdWhile = async ({ hold }: ControlParts, response: ServerResponse, name: string): Promise<void> => {
  const release = await hold(name);
  response.on('close', release);
  response.writeHead(200, { 'content-type': 'text/plain' }).write('held\n');
};

const answerControl = async (
  { sinks, networks }: ControlParts,
  actions: ReturnType<typeof makeActions>,
  issuer: TestIssuer,
  request: IncomingMessage,
): Promise<HttpReply | undefined> => {
  const problem = foreignCallProblem(request.headers);
  if (problem) throw new Refused(403, problem);
  const [, , resource = '', name = '', ...rest] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
  const body = await readBody(request);
  if (!body) throw new Refused(413, 'The body is longer than 10 MB.');
  const call = { request, body: body.toString(), name: decodeURIComponent(name) };
  if (resource === 'sink' && name !== '') return sinkReply(sinks, call);
  if (resource === 'network' && rest.length > 0) return networkReply(networks, networkName(call.name), call);
  if (resource === 'oidc') return issuerReply(issuer, request, call.body);
  const action = rest.length === 0 ? actions[`${request.method} ${resource}${name && '/name'}`] : undefined;
  if (!action) throw new Refused(404, `There is no ${request.method} ${request.url} in the local control.`);
  return json(200, (await action(call)) ?? { status: 'ok' });
};

const issuerReply = async (issuer: TestIssuer, request: IncomingMessage, body: string): Promise<HttpReply> => {
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://localhost');
  const { host = '', authorization = '' } = request.headers;
  const sent = {
    host,
    authorization,
    query,
    body,
    method: request.method ?? '',
    path: pathname.slice('/_local/oidc/'.length),
  };
  const reply = await issuer.answer(sent);
  if (!reply) throw new Refused(404, 'The test issuer has no such page.');
  return reply;
};

const makeActions = (parts: ControlParts): Readonly<Record<string, Action | undefined>> => ({
  'GET status': async () => ({
    now: new Date(parts.clock.now()).toISOString(),
    idle: await parts.time.isIdle(),
    queues: Object.fromEntries(
      parts.queues.definitions.map((queue) => [queue.name, queueDepth(parts.queues, queue.name)]),
    ),
  }),
  'GET clock': () => sayTime(parts.clock),
  'POST clock': ({ body }) => moveClock(parts, body),
  'GET credentials': async () => {
    const credentials = await parts.credentials();
    if (!credentials) throw new Refused(404, 'This stack has no demo tenant.');
    return credentials;
  },
  'GET emails': () => parts.mailbox.list(),
  'DELETE emails': () => parts.mailbox.clear(),
  'GET sinks/name': ({ name }) => parts.sinks.list(name),
  'PUT sinks/name': ({ name, body }) => parts.sinks.tell(name, parseBody(SinkAnswer, body)),
  'DELETE sinks/name': ({ name }) => parts.sinks.clear(name),
  'POST queues/name': ({ name, body }) => sendToQueue(parts.queues, name, body),
  'GET networks/name': ({ name }) => parts.networks.listTold(networkName(name)),
  'POST networks/name': ({ name, body }) =>
    parts.networks.offer(networkName(name), parseBody(v.looseObject({ alertId: v.string() }), body)),
  'PUT networks/name': ({ name, body }) => parts.networks.hurt(networkName(name), parseBody(NetworkFault, body)),
  'DELETE networks/name': ({ name }) => parts.networks.clear(networkName(name)),
  'POST reset': () => parts.reset(),
});

const networkName = (name: string): NetworkName => {
  const known = networkNames.find((one) => one === name);
  if (!known) throw new Refused(404, `There is no network ${name}; there are ${networkNames.join(' and ')}.`);
  return known;
};

/** A queue's depth is all it holds, whether a function may take it now or later. */
const queueDepth = (queues: Queues, name: string): number => {
  const queue = queues.find(name);
  const { visible, hidden } = queue ? queues.depth(queue) : { visible: 0, hidden: 0 };
  return visible + hidden;
};

/** Sends a message as a schedule would. `name`: of the queue, without the stage's prefix. */
const sendToQueue = (queues: Queues, name: string, body: string): void => {
  const queue = queues.definitions.find((one) => one.name.endsWith(`-${name}`));
  if (!queue) throw new Refused(404, `There is no queue ${name}.`);
  queues.send(queue, { body: JSON.stringify(parseBody(v.looseObject({}), body)) });
};

/** On the way everything has its moment; a typing error should not take hours. */
const longestMove = 400 * 86_400_000;

const moveClock = async ({ clock, time }: ControlParts, body: string) => {
  const move = parseBody(ClockMove, body);
  const target = 'set' in move ? move.set : clock.now() + move.advance;
  if ('set' in move && target < clock.now()) {
    throw new Refused(409, `The clock only goes forward; it is ${new Date(clock.now()).toISOString()}.`);
  }
  if (target - clock.now() > longestMove) throw new Refused(400, 'The clock moves 400 days at a time at most.');
  await time.moveTo(target);
  return sayTime(clock);
};

/** The stack's time, and in whole seconds as signatures and hashes have it. */
const sayTime = (clock: Clock): { now: string; seconds: number } => {
  const now = clock.now();
  return { now: new Date(now).toISOString(), seconds: Math.floor(now / 1000) };
};

const sinkReply = async (sinks: Sinks, { request, body, name }: Call): Promise<HttpReply> => {
  const {
    status,
    body: reply,
    delayMs,
    headers,
  } = sinks.take(name, {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)])),
    body,
  });
  // A caller that has hung up need not be waited for.
  if (delayMs > 0) await Promise.race([wait(delayMs), once(request.socket, 'close')]);
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...lowerCased(headers) }, body: reply };
};

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const parseBody = <S extends v.GenericSchema>(schema: S, body: string): v.InferOutput<S> => {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), body === '' ? '{}' : body);
  if (result.success) return result.output;
  const issues = result.issues.map((issue) => `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`);
  throw new Refused(400, issues.join('; '));
};

const json = (status: number, value: unknown): HttpReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
