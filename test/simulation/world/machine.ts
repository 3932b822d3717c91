import crypto from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { HttpResponse } from '@smithy/core/protocols';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { Agent, type Dispatcher } from 'undici';
import { clockSymbol } from '#core/kernel/clock.ts';
import { replaceReader } from './images.ts';
import { currentRun, within } from './lambda.ts';
import { seedRandom } from './random.ts';
import type { Service, World } from './world.ts';

/**
 * Puts a world in the place of everything that a function can ask of its machine: time, timers, chance, the log, AWS and the
 * network. To be imported before any function is; between histories, when there is no world, all is as it was.
 */

let world: World | undefined;

/** Runs what follows in this world; undefined: in the real one again. */
export const enter = (next: World | undefined): void => {
  world = next;
  // To write down where an error was made takes longer than most of what follows from it: only who reads a trace wants to know.
  Error.stackTraceLimit = next && !next.isTraced ? 0 : stackTraceLimit;
};
const { stackTraceLimit } = Error;

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  fetch: globalThis.fetch,
  request: https.request,
  timeoutOf: AbortSignal.timeout,
  performanceNow: performance.now.bind(performance),
  write: process.stdout.write.bind(process.stdout),
  wait: timers.setTimeout,
};

/** Before there is a world: what modules draw as they are loaded is the same each time. */
const atLoading = seedRandom(0, 'loading');
const random = () => currentRun()?.random ?? atLoading;

type VirtualTimer = { isOff: boolean; unref(): VirtualTimer; ref(): VirtualTimer; hasRef(): boolean };
const virtualTimer = (): VirtualTimer => {
  const timer: VirtualTimer = { isOff: false, unref: () => timer, ref: () => timer, hasRef: () => true };
  return timer;
};

/** Goes on after some milliseconds of virtual time, in the run that asked, unless that is over. */
const after = (here: World, milliseconds: number, work: () => void): void => {
  const run = currentRun();
  here.timeline.after(milliseconds, () => within(run, work));
};

const replaceTime = (): void => {
  const setVirtual = (work: (...given: unknown[]) => void, milliseconds = 0, ...given: unknown[]): unknown => {
    if (!world) return real.setTimeout(work, milliseconds, ...given);
    const timer = virtualTimer();
    after(world, milliseconds, () => {
      if (!timer.isOff) work(...given);
    });
    return timer;
  };
  const clear = (timer: unknown): void => {
    if (typeof timer === 'object' && timer !== null && 'isOff' in timer) timer.isOff = true;
    else real.clearTimeout(timer as NodeJS.Timeout);
  };
  Object.assign(globalThis, { setTimeout: setVirtual, clearTimeout: clear });
  Object.assign(globalThis, {
    [clockSymbol]: () => (world ? Math.floor(world.timeline.now) + (currentRun()?.skew ?? 0) : Date.now()),
  });
  performance.now = () => world?.timeline.now ?? real.performanceNow();
  const wait = <T>(milliseconds?: number, value?: T): Promise<T | undefined> => {
    const here = world;
    if (!here) return real.wait(milliseconds, value);
    return new Promise((resolve) => after(here, milliseconds ?? 0, () => resolve(value)));
  };
  Object.assign(timers, { setTimeout: wait });
  AbortSignal.timeout = (milliseconds) => {
    if (!world) return real.timeoutOf(milliseconds);
    const controller = new AbortController();
    after(world, milliseconds, () => controller.abort(new DOMException('Timed out', 'TimeoutError')));
    return controller.signal;
  };
};

const replaceChance = (): void => {
  const randomInt = (low: number, high?: number): number =>
    high === undefined ? random().int(low) : low + random().int(high - low);
  const randomUUID = (): string => {
    const hex = random().bytes(16).toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join(
      '-',
    );
  };
  Object.assign(crypto, { randomBytes: (count: number) => random().bytes(count), randomInt, randomUUID });
};

const replaceLog = (): void => {
  process.stdout.write = ((text: string | Uint8Array, ...rest: never[]): boolean => {
    if (!world) return real.write(text, ...rest);
    world.onText('log', String(text));
    world.note(`    log ${String(text).trim()}`);
    return true;
  }) as typeof process.stdout.write;
};

const getWorld = (what: string): World => {
  if (!world) throw new Error(`${what} was asked while there is no world`);
  return world;
};

const replaceClients = (): void => {
  const answer = (service: Service) =>
    function send(command: { input: Record<string, unknown> }): Promise<unknown> {
      return getWorld(service).call(service, command.constructor.name, command.input);
    };
  for (const [service, client] of [
    ['dynamo', DynamoDBDocumentClient],
    ['sqs', SQSClient],
    ['ses', SESv2Client],
    ['scheduler', SchedulerClient],
    ['secrets', SecretsManagerClient],
  ] as const) {
    Object.assign(client.prototype, { send: answer(service) });
  }
};

const failedFetch = (): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });

/** As `new Request` reads it, which takes long. */
const readRequest = (input: string | URL | Request, init: RequestInit = {}) => {
  if (input instanceof Request) return new Request(input, { ...init, body: null });
  const { method = 'GET', headers, signal } = init;
  return { url: input, method: method.toUpperCase(), headers: new Headers(headers), signal };
};

const replaceFetch = (): void => {
  globalThis.fetch = async (input, init) => {
    if (!world) return real.fetch(input, init);
    const here = world;
    const { url, method, headers, signal } = readRequest(input, init);
    const body = typeof init?.body === 'string' ? init.body : init?.body ? await new Response(init.body).text() : '';
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      const request = { url: new URL(url), method, headers: Object.fromEntries(headers), body };
      here.exchange(request, (reply) => {
        if (reply.kind === 'reset') return reject(failedFetch());
        resolve(new Response(reply.body ?? null, { status: reply.status, headers: { ...reply.headers } }));
      });
    });
  };
};

type Started = { controller: Dispatcher.DispatchController; isOver: () => boolean };

const controllerFor = (here: World, handler: Dispatcher.DispatchHandler): Started => {
  let isOver = false;
  const controller = {
    aborted: false,
    paused: false,
    reason: null,
    rawHeaders: null,
    rawTrailers: null,
    pause: () => undefined,
    resume: () => undefined,
    abort: (error: Error) => {
      if (isOver) return;
      isOver = true;
      after(here, 0, () => handler.onResponseError?.(controller, error));
    },
  } satisfies Dispatcher.DispatchController;
  return { controller, isOver: () => isOver };
};

const replaceUndici = (): void => {
  Agent.prototype.dispatch = function dispatch(options, handler) {
    const here = getWorld('undici');
    const { controller, isOver } = controllerFor(here, handler);
    const { origin = '', path, method, headers, body } = options;
    const request = {
      url: new URL(`${origin}${path}`),
      method,
      headers: { ...(headers as Record<string, string>) },
      body: String(body),
    };
    handler.onRequestStart?.(controller, {});
    here.exchange(request, (reply) => {
      if (isOver()) return;
      if (reply.kind === 'reset') return controller.abort(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
      handler.onResponseStart?.(controller, reply.status, { ...reply.headers });
      if (reply.body !== undefined) handler.onResponseData?.(controller, Buffer.from(reply.body));
      if (!isOver()) handler.onResponseEnd?.(controller, {});
    });
    return true;
  };
  Agent.prototype.destroy = async () => undefined;
};

type HttpsOptions = { method: string; headers: Record<string, string>; signal: AbortSignal };

/** Services that merchants operate are asked by this. */
const replaceHttps = (): void => {
  const request = (url: URL, options: HttpsOptions, onResponse: (response: IncomingMessage) => void): EventEmitter => {
    if (!world) return real.request(url, options, onResponse);
    const here = world;
    const { method, headers, signal } = options;
    const sent = new EventEmitter();
    const fail = (code: string): unknown =>
      !signal.aborted && sent.emit('error', Object.assign(new Error(code), { code }));
    signal.addEventListener('abort', () =>
      sent.emit('error', Object.assign(new Error('aborted'), { code: 'ABORT_ERR' })),
    );
    const end = (body = ''): void =>
      here.exchange({ url, method, headers, body }, (reply) => {
        if (reply.kind === 'reset' || signal.aborted) return void fail('ECONNRESET');
        const response = Object.assign(new EventEmitter(), {
          statusCode: reply.status,
          headers: { ...reply.headers },
          destroy: (error: Error) => response.emit('error', error),
        });
        onResponse(response as unknown as IncomingMessage);
        response.emit('data', Buffer.from(reply.body ?? ''));
        response.emit('end');
      });
    return Object.assign(sent, { end });
  };
  Object.assign(https, { request });
};

/** S3 is asked by this, without the SDK's client. */
const replaceHttpHandler = (): void => {
  NodeHttpHandler.prototype.handle = function handle({ protocol, hostname, path, method, headers, body }) {
    const here = getWorld('An HTTP handler');
    const url = new URL(`${protocol}//${hostname}${path}`);
    return new Promise((resolve, reject) => {
      const sent = body === undefined ? '' : Buffer.from(body as Uint8Array).toString('latin1');
      here.exchange({ url, method, headers: { ...headers }, body: sent }, (reply) => {
        if (reply.kind === 'reset') return reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
        const chunks = [Buffer.from(reply.body ?? '', 'latin1')];
        resolve({
          response: new HttpResponse({ statusCode: reply.status, headers: { ...reply.headers }, body: chunks }),
        });
      });
    });
  };
};

replaceReader();
replaceTime();
replaceChance();
replaceLog();
replaceClients();
replaceFetch();
replaceUndici();
replaceHttps();
replaceHttpHandler();
syncBuiltinESMExports();
