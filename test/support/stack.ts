import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, inject } from 'vitest';
import type { SentMail } from '#lib/local/aws/mail.ts';
import { clockOffsetKey } from '#lib/local/clock.ts';
import type { SinkAnswer, SinkRequest } from '#lib/local/control/sink-answers.ts';
import type { DemoCredentials } from '#lib/local/demo/demo-tenant.ts';
import { durationMilliseconds, instantMilliseconds } from '#lib/local/duration.ts';
import type { Invocation } from '#lib/local/functions/function-runner.ts';
import { type LocalStack, startLocalStack } from '#lib/local/stack.ts';
import { openState } from '#lib/local/state.ts';
import { builtCode } from './built-code.ts';
import { createShortcut } from './memory-stack.ts';
import { expectNoLeaks, learn, noteLearned, watchFolder, watchInvocation } from './secret-leak-scan.ts';

export type CallOptions = {
  /** Sent as JSON; a string as it is. */
  body?: unknown;
  /** A Bearer token. */
  token?: string | undefined;
  headers?: Readonly<Record<string, string>>;
  /** Default POST. */
  method?: string;
};

export type CallReply = { status: number; headers: Headers; text: string; body: Record<string, unknown> };

export type TestStack = AsyncDisposable & {
  url: string;
  stack: LocalStack;
  /** Where it keeps everything. */
  dataFolder: string;
  /** The demo tenant's. */
  credentials: DemoCredentials;
  /** Moves the stack's time on, all it causes included; durations like `PT12H`, instants like `2026-05-02T12:00:00Z`. */
  clock: { now(): Date; advance(duration: string): Promise<void>; set(instant: string): Promise<void> };
  /** Settles when everything that was begun has been worked off. */
  untilIdle(): Promise<void>;
  sinks: {
    /** Returns the requests of a sink. */
    got(name: string): SinkRequest[];
    answer(name: string, answer: Partial<SinkAnswer>): void;
    clear(name: string): void;
    /** The address to point notifications at. */
    url(name: string): string;
  };
  mails(): SentMail[];
  /** Calls the gateway. Never throws for a status. */
  call(path: string, options?: CallOptions): Promise<CallReply>;
  /** A fresh Bearer token of a user of the demo tenant. */
  tokenOf(user: 'admin' | 'merchant'): Promise<string>;
  /** Every invocation so far, with the lines it logged. */
  invocations: readonly Invocation[];
  /** The actions of each function (`area/name`) at AWS so far, in the words of its grants. */
  awsActions: ReadonlyMap<string, ReadonlySet<string>>;
  /** The problems that the stack itself reported; should stay empty. */
  problems: readonly string[];
  /** Stops and starts it again on the same data and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * The stack's time stops far from every slot, midnight and end of a month, unless a test moves it, so that no test depends on
 * when it is run. `now`: the system's time, for programs that ask the system. `files`: the content of the data folder.
 */
export type TestStackOptions = {
  startTime?: string;
  withDemo?: boolean;
  /** The demo merchant gets its past; it is made when this is answered. */
  withPast?: boolean;
  files?: Readonly<Record<string, Uint8Array>>;
  /** The demo tenant is made by this very stack, where a test looks at how it was made. */
  ownDemo?: boolean;
  /**
   * With the emulator and the functions as they are deployed, for what is about these, the data folder or a stack that is killed, and
   * for programs that read the table. Default: tables in memory, to which calls take a short way (memory-stack.ts), and functions that
   * share packages. `FOREWARN_TEST_TABLE=emulator` has every stack be so that is not told to be the other.
   */
  real?: boolean;
};
const usualTime = '2026-05-02T10:00:00Z';

/**
 * The demo tenant of the first stack, with which all others begin: it then only moves to their address. The same for its past.
 */
const keptDemo = (withPast: boolean, isReal: boolean) =>
  join(inject('keptDemos'), `${withPast ? 'past' : 'tenant'}${isReal ? '' : '-in-memory'}`);
const KeptDemo = v.pipe(v.string(), v.parseJson(), v.object({ now: v.number(), learned: v.string() }));
const noteFile = 'note.json';

const beginWith = (kept: string, dataFolder: string): void => {
  cpSync(join(kept, 'data'), dataFolder, { recursive: true });
  const note = v.parse(KeptDemo, readFileSync(join(kept, noteFile), 'utf8'));
  learn(note.learned);
  const state = openState(dataFolder);
  // The clock goes on from when it was kept, however long ago that is.
  state.set(clockOffsetKey, String(note.now - Date.now()));
  state.close();
};

/** Of a stack that stopped at that time; with the secrets that it has, and none that its test has made up. */
const keepDemo = (kept: string, dataFolder: string, now: number, secrets: readonly string[]): void => {
  const folder = mkdtempSync(`${kept}-`);
  cpSync(dataFolder, join(folder, 'data'), { recursive: true });
  writeFileSync(join(folder, noteFile), JSON.stringify({ now, learned: secrets.join('\n') }));
  try {
    renameSync(folder, kept);
  } catch {
    // Another worker was first.
    rmSync(folder, { recursive: true });
  }
};

/** The stack of a test file, which is stopped after its tests. One with a past has worked that off. */
export const useStack = async (options?: TestStackOptions): Promise<TestStack> => {
  const service = await startStack(options);
  afterAll(() => service.stop());
  if (options?.withPast) await service.untilIdle();
  return service;
};

/** The whole service in this process, on free ports and in a folder of its own, at a time of its own. */
export const startStack = async ({
  startTime = usualTime,
  withDemo = true,
  withPast = false,
  files = {},
  ownDemo = false,
  real,
}: TestStackOptions = {}): Promise<TestStack> => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'forewarn-stack-'));
  const sharesDemo = withDemo && !ownDemo && startTime === usualTime && Object.keys(files).length === 0;
  const isReal = real ?? process.env['FOREWARN_TEST_TABLE'] === 'emulator';
  const kept = keptDemo(withPast, isReal);
  const isFirst = sharesDemo && !existsSync(kept);
  const learnedSince = isFirst ? noteLearned() : undefined;
  if (sharesDemo && !isFirst) beginWith(kept, dataFolder);
  for (const [name, contents] of Object.entries(files)) writeFileSync(join(dataFolder, name), contents);
  const invocations: Invocation[] = [];
  const problems: string[] = [];
  const awsActions = new Map<string, Set<string>>();
  const start = (port: number) =>
    startLocalStack({
      templateFolder: inject('templateFolder'),
      code: builtCode(isReal ? 'deployed' : 'linked'),
      ...(!isReal && { shortcut: createShortcut() }),
      dataFolder,
      port,
      startTime: startTime === 'now' ? undefined : instantMilliseconds(startTime),
      withDemo,
      withPast,
      // No test depends on how fast the machine is.
      timeLimits: false,
      watch: {
        onInvocation: (invocation) => {
          invocations.push(invocation);
          watchInvocation(invocation);
        },
        onProblem: (sentence) => void problems.push(sentence),
        onAwsAction: (name, awsAction) => void awsActions.set(name, (awsActions.get(name) ?? new Set()).add(awsAction)),
      },
    });
  const current = { stack: await start(0) };
  await current.stack.pastMade();
  if (learnedSince) {
    await current.stack.time.untilIdle();
    const now = current.stack.clock.now();
    await current.stack.stop();
    keepDemo(kept, dataFolder, now, learnedSince());
    current.stack = await start(0);
  }
  const stop = async () => {
    await current.stack.stop();
    watchFolder(dataFolder);
    rmSync(dataFolder, { recursive: true, force: true });
    expectNoLeaks();
  };
  // Not spread: its getters must stay getters, for a restart changes what they give.
  return Object.assign(
    makeFace(() => current.stack),
    {
      invocations,
      problems,
      awsActions,
      dataFolder,
      restart: async () => {
        const { port } = current.stack.web;
        await current.stack.stop();
        current.stack = await start(port);
      },
      stop,
      [Symbol.asyncDispose]: stop,
    },
  );
};

type Face = Omit<
  TestStack,
  'invocations' | 'problems' | 'awsActions' | 'dataFolder' | 'restart' | 'stop' | typeof Symbol.asyncDispose
>;

const makeFace = (stack: () => LocalStack): Face => ({
  get url() {
    return stack().url;
  },
  get stack() {
    return stack();
  },
  get credentials() {
    return readCredentials(stack());
  },
  clock: {
    now: () => new Date(stack().clock.now()),
    advance: (duration) =>
      stack().time.moveTo(stack().clock.now() + requireKnown(durationMilliseconds(duration), duration)),
    set: (instant) => stack().time.moveTo(requireKnown(instantMilliseconds(instant), instant)),
  },
  untilIdle: () => stack().time.untilIdle(),
  sinks: {
    got: (name) => stack().sinks.list(name),
    answer: (name, answer) => stack().sinks.tell(name, { ...plainAnswer, ...answer }),
    clear: (name) => stack().sinks.clear(name),
    url: (name) => `${stack().url}/_local/sink/${name}`,
  },
  mails: () => stack().mailbox.list(),
  call: (path, options) => call(`${stack().url}${path}`, options),
  tokenOf: async (user) => {
    const { [user]: credentials } = readCredentials(stack());
    const { body } = await call(`${stack().url}/api/v2/index.php/gettoken`, { body: credentials });
    return v.parse(v.string(), body['access_token']);
  },
});

const plainAnswer: SinkAnswer = { status: 200, body: 'ok', delayMs: 0, times: undefined, headers: {} };

const readCredentials = (stack: LocalStack): DemoCredentials => {
  const credentials = stack.credentials();
  if (!credentials) throw new Error('This stack was started without the demo tenant.');
  return credentials;
};

const requireKnown = (milliseconds: number | undefined, text: string): number => {
  if (milliseconds === undefined) throw new Error(`${text} is no duration or instant.`);
  return milliseconds;
};

const Fields = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));

const call = async (
  url: string,
  { body, token, headers = {}, method = 'POST' }: CallOptions = {},
): Promise<CallReply> => {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed = v.safeParse(Fields, text);
  return { status: response.status, headers: response.headers, text, body: parsed.success ? parsed.output : {} };
};
