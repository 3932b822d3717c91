import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { errorText, UserError } from '../user-error.ts';

/** A function as the template describes it. */
export type FunctionDefinition = {
  name: string;
  arn: string;
  /** The aliases by which it can be called, in addition to its name. All run the same code. */
  aliases?: readonly string[];
  /** Where its bundle lies. */
  folder: string;
  /** `index.handler` */
  handler: string;
  timeoutSeconds: number;
  memoryMegabytes: number;
  environment: Readonly<Record<string, string>>;
};

export type Invocation = {
  function: FunctionDefinition;
  event: unknown;
  /** The answer; undefined if it failed. */
  result: unknown;
  error: Error | undefined;
  milliseconds: number;
  /** The lines that it wrote to standard output. */
  logs: readonly string[];
};

export type FunctionRunner = {
  definitions: readonly FunctionDefinition[];
  find(arnOrName: string): FunctionDefinition;
  /** Runs a function as Lambda would: JSON in and out, a time limit. Never throws. */
  invoke(definition: FunctionDefinition, event: unknown): Promise<Invocation>;
  /** Builds and loads a function, if it is not loaded. Never throws: a function that does not load fails when it is invoked. */
  load(definition: FunctionDefinition): Promise<void>;
  running(): number;
  /** Returns the number of invocations that have begun so far. */
  countStarted(): number;
  /** Settles when all that run now have ended. */
  whenSettled(): Promise<void>;
  /** Loads functions again at their next call, as after a cold start; all of them, or those of these names. */
  forget(names?: readonly string[]): void;
  /** Emits each invocation when it has ended. */
  ends: EventEmitter<{ end: [Invocation] }>;
  close(): void;
};

type Handler = (event: unknown, context: unknown) => unknown;
const Bundle = v.record(v.string(), v.unknown());

type Inside = { definition: FunctionDefinition; logs: string[] };

/** Each invocation's function and the lines it wrote, known to whatever runs inside it. */
const inside = new AsyncLocalStorage<Inside>();

/** The function inside whose invocation this is called; undefined outside of any. */
export const runningFunction = (): FunctionDefinition | undefined => inside.getStore()?.definition;

/** Where a function's code lies; it may have to be built first. */
export type CodeOf = (definition: FunctionDefinition) => string | Promise<string>;

/**
 * Loads the functions' code into this process, each at its first call. Default: from the folder of the template. `timeLimits`: whether a
 * function fails that takes longer than it may.
 */
export const createFunctionRunner = (
  definitions: readonly FunctionDefinition[],
  codeOf: CodeOf = ({ folder }) => folder,
  timeLimits = true,
): FunctionRunner => {
  const handlers = createHandlers(codeOf);
  const ends = new EventEmitter<{ end: [Invocation] }>();
  const release = captureOutput();
  const running = new Set<Promise<Invocation>>();
  let started = 0;

  const invoke = async (definition: FunctionDefinition, event: unknown): Promise<Invocation> => {
    started += 1;
    const calling = call(handlers, timeLimits ? run : runUnhurried, definition, event);
    running.add(calling);
    const invocation = await calling;
    running.delete(calling);
    ends.emit('end', invocation);
    return invocation;
  };
  return {
    definitions,
    find: (arnOrName) => {
      const found = definitions.find(({ arn, name, aliases = [] }) =>
        [arn, name].some((own) => arnOrName === own || aliases.some((alias) => arnOrName === `${own}:${alias}`)),
      );
      if (!found) throw new UserError(`The template refers to a function ${arnOrName} that it does not define.`);
      return found;
    },
    invoke,
    load: async (definition) => {
      await handlers.of(definition).catch(() => undefined);
    },
    running: () => running.size,
    countStarted: () => started,
    whenSettled: async () => {
      await Promise.all(running);
    },
    forget: handlers.forget,
    ends,
    close: release,
  };
};

/** The functions' handlers, each loaded when it is first wanted. */
const createHandlers = (codeOf: CodeOf) => {
  const loaded = new Map<string, Promise<Handler>>();
  const folders = new Map<string, string>();
  return {
    of: (definition: FunctionDefinition): Promise<Handler> => {
      const known = loaded.get(definition.name);
      if (known) return known;
      const loading = loadHandler(definition, async (one) => {
        const folder = await codeOf(one);
        folders.set(one.name, folder);
        return folder;
      });
      loaded.set(definition.name, loading);
      // A failed build or load may succeed at the next call.
      loading.catch(() => loaded.delete(definition.name));
      return loading;
    },
    forget: (names: readonly string[] = [...loaded.keys()]): void => {
      for (const name of names) {
        loaded.delete(name);
        dropModules(folders.get(name));
      }
    },
  };
};

/** Runs one invocation, from loading the function to its result. */
const call = async (
  handlers: ReturnType<typeof createHandlers>,
  runHandler: typeof run,
  definition: FunctionDefinition,
  event: unknown,
): Promise<Invocation> => {
  const logs: string[] = [];
  const begun = performance.now();
  const outcome = await inside.run({ definition, logs }, () =>
    settle(async () => runHandler(await handlers.of(definition), definition, event)),
  );
  return { function: definition, event, ...outcome, milliseconds: performance.now() - begun, logs };
};

/** Drops loaded modules of a folder, so that their memory can be used again. */
const dropModules = (folder: string | undefined): void => {
  const { cache } = createRequire(import.meta.url);
  for (const path of Object.keys(cache)) if (dirname(path) === folder) delete cache[path];
};

const loadHandler = async (definition: FunctionDefinition, codeOf: CodeOf): Promise<Handler> => {
  const folder = await codeOf(definition);
  const [module = '', exported = ''] = definition.handler.split('.');
  const file = join(folder, `${module}.js`);
  // A stack that was stopped in this process has left its copy, which still talks to that stack's ports; parts of it may
  // be in files of their own.
  dropModules(folder);
  // One for all functions would keep every module that it has ever loaded.
  const require = createRequire(import.meta.url);
  const handler = v.parse(Bundle, { ...require(file) })[exported];
  if (!isHandler(handler)) throw new Error(`${file} exports no function ${exported}.`);
  return handler;
};

const isHandler = (value: unknown): value is Handler => typeof value === 'function';

const isCallback = (value: unknown): value is () => void => typeof value === 'function';

const settle = async (work: () => Promise<unknown>): Promise<Pick<Invocation, 'result' | 'error'>> => {
  try {
    return { result: await work(), error: undefined };
  } catch (error) {
    return { result: undefined, error: error instanceof Error ? error : new Error(errorText(error)) };
  }
};

/** Without a time limit: a developer may be using a debugger. */
const runUnhurried = async (handler: Handler, definition: FunctionDefinition, event: unknown): Promise<unknown> =>
  copyJson(await handler(copyJson(event), makeContext(definition, Number.POSITIVE_INFINITY)));

const run = async (handler: Handler, definition: FunctionDefinition, event: unknown): Promise<unknown> => {
  const deadline = performance.now() + definition.timeoutSeconds * 1000;
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => timeout.reject(new Error(`Task timed out after ${definition.timeoutSeconds} seconds`)),
    definition.timeoutSeconds * 1000,
  );
  try {
    const context = makeContext(definition, deadline);
    return copyJson(await Promise.race([handler(copyJson(event), context), timeout.promise]));
  } finally {
    clearTimeout(timer);
  }
};

/** JSON crosses Lambda's border: no shared objects, no `undefined`. */
const copyJson = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)));

const makeContext = ({ name, arn, memoryMegabytes }: FunctionDefinition, deadline: number) => ({
  functionName: name,
  functionVersion: '$LATEST',
  invokedFunctionArn: arn,
  memoryLimitInMB: String(memoryMegabytes),
  awsRequestId: randomUUID(),
  logGroupName: `/aws/lambda/${name}`,
  logStreamName: 'local',
  callbackWaitsForEmptyEventLoop: true,
  getRemainingTimeInMillis: () => Math.max(0, Math.round(deadline - performance.now())),
});

/** Captures what functions write to standard output; all other output passes. */
const captureOutput = (): (() => void) => {
  const original = process.stdout.write;
  const write: typeof original = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    const logs = inside.getStore()?.logs;
    if (!logs) return Reflect.apply(original, process.stdout, [chunk, ...rest]);
    logs.push(...Buffer.from(chunk).toString().split('\n').filter(Boolean));
    rest.find(isCallback)?.();
    return true;
  };
  process.stdout.write = write;
  return () => {
    if (process.stdout.write === write) process.stdout.write = original;
  };
};

/**
 * The environment that all functions share in one process. Throws UserError when two of them want different values of one
 * variable: the deployed stack could give them both, this process cannot.
 */
export const sharedEnvironment = (definitions: readonly FunctionDefinition[]): Record<string, string> => {
  const merged = new Map<string, { value: string; owner: string }>();
  for (const { name, environment } of definitions) {
    for (const [variable, value] of Object.entries(environment)) {
      const other = merged.get(variable);
      if (other && other.value !== value) {
        throw new UserError(`${other.owner} and ${name} want different values of ${variable}.`);
      }
      merged.set(variable, { value, owner: name });
    }
  }
  return Object.fromEntries([...merged].map(([variable, { value }]) => [variable, value]));
};
