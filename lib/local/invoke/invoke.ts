import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { samplePath } from '#core/platform/operation/operation.ts';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { bundleName } from '#lib/build/bundle.ts';
import { type Build, openBuild } from '../build/build.ts';
import { findDeclared, readDeclared } from '../build/declared-functions.ts';
import { demoCredentialsShape } from '../demo/demo-tenant.ts';
import { type Endpoints, enterStack, readEndpoints } from '../endpoints.ts';
import { createFunctionRunner, type Invocation } from '../functions/function-runner.ts';
import { startLocalStack } from '../stack.ts';
import { readResources } from '../template/resources.ts';
import { readTemplate } from '../template/template.ts';
import { UserError } from '../user-error.ts';
import { fillSample, sampleValues } from './sample-event.ts';

/** A function by its name of `area/name`. */
export type Invokable = { name: string; summary: string; sample: string };

export type InvokeRequest = {
  /** `alerts/update-alert` */
  name: string;
  /** A file with another event than the function's sample; placeholders are filled in there too. */
  eventFile?: string | undefined;
};

export type Invoked = { invocation: Invocation; eventFile: string; url: string; isTemporary: boolean };

/** Every function there is, sorted by name. */
export const invokables = (): Invokable[] =>
  [...operations, ...workers]
    .map((one) => ({
      name: bundleName(one),
      summary: one.summary,
      sample: samplePath(one),
    }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));

/**
 * Runs one function, freshly built, against the running local stack, or against one that lives just as long in a temporary
 * folder. Throws UserError on what the person must mend; a function that fails is an answer.
 */
export const invokeFunction = async ({ name, eventFile }: InvokeRequest): Promise<Invoked> => {
  const { sample } = knownOrThrow(name);
  const file = eventFile ?? sample;
  if (!existsSync(file)) throw new UserError(`There is no event in ${file}.`);
  const text = readFileSync(file, 'utf8');
  const build = await openBuild();
  const running = readEndpoints();
  const run = (endpoints: Endpoints) => invokeOn(endpoints, build, name, text);
  const invocation = running ? await run(running) : await onTemporaryStack(build, run);
  return { ...invocation, eventFile: file, isTemporary: !running };
};

const knownOrThrow = (name: string): Invokable => {
  const all = invokables();
  const found = all.find((one) => one.name === name);
  if (found) return found;
  const word = name.split('/').at(-1) ?? '';
  const close = all.filter((one) => one.name.includes(word)).map((one) => one.name);
  const hint = close.length > 0 ? `did you mean ${close.join(' or ')}?` : 'npm run invoke lists them all.';
  throw new UserError(`There is no function ${name}; ${hint}`);
};

const onTemporaryStack = async <T>(
  { templateFolder, code }: Build,
  run: (endpoints: Endpoints) => Promise<T>,
): Promise<T> => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'forewarn-invoke-'));
  try {
    const stack = await startLocalStack({ templateFolder, code, dataFolder, port: 0 });
    try {
      return await run(stack.endpoints());
    } finally {
      await stack.stop();
    }
  } finally {
    await rm(dataFolder, { recursive: true, force: true });
  }
};

const invokeOn = async (endpoints: Endpoints, { templateFolder, code }: Build, name: string, text: string) => {
  const { url, environment } = endpoints;
  const credentials = v.parse(demoCredentialsShape, await (await fetch(`${url}/_local/credentials`)).json());
  const { functions } = readResources(readTemplate(templateFolder), environment['AWS_ENDPOINT_URL_SQS'] ?? '');
  const own = readDeclared(templateFolder).filter((one) => `${one.area}/${one.name}` === name);
  const definition = functions.find((one) => findDeclared(own, one.name));
  if (!definition) throw new UserError(`The stack has no function ${name}.`);
  const release = await holdFunction(url, definition.name);
  try {
    const event = await fillSample(text, sampleValues(url, credentials));
    enterStack(endpoints);
    const runner = createFunctionRunner(functions, () => code.folderOf(name));
    const invocation = await runner.invoke(definition, event);
    runner.close();
    return { invocation, url };
  } finally {
    release();
  }
};

/** Everything that runs a function outside of this program: its code, its environment and its event. */
export type PrintedEvent = { folder: string; eventFile: string; environmentFile: string };

/**
 * Writes the event of a function, filled in from the running local stack, and the environment that its code needs, to files of a folder. The
 * environment has the form of `sam local invoke --env-vars`. Throws UserError without a running stack.
 */
export const writeEvent = async ({ name, eventFile }: InvokeRequest, outFolder: string): Promise<PrintedEvent> => {
  const file = eventFile ?? knownOrThrow(name).sample;
  if (!existsSync(file)) throw new UserError(`There is no event in ${file}.`);
  const endpoints = readEndpoints();
  if (!endpoints) throw new UserError('Start the local stack with npm start: the event is filled in from it.');
  const credentials = v.parse(demoCredentialsShape, await (await fetch(`${endpoints.url}/_local/credentials`)).json());
  const event = await fillSample(readFileSync(file, 'utf8'), sampleValues(endpoints.url, credentials));
  const { code } = await openBuild();
  const folder = await code.folderOf(name);
  const files = { eventFile: join(outFolder, 'event.json'), environmentFile: join(outFolder, 'environment.json') };
  mkdirSync(outFolder, { recursive: true });
  write(files.eventFile, event);
  write(files.environmentFile, { Parameters: endpoints.environment });
  return { folder, ...files };
};

const write = (file: string, value: unknown): void =>
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });

/** The running stack would otherwise process the message that the sample event is about, before or during this call. */
const holdFunction = async (url: string, functionName: string): Promise<() => void> => {
  const { ok, body } = await fetch(`${url}/_local/hold/${encodeURIComponent(functionName)}`);
  if (!ok) throw new UserError('The running stack is of an earlier version; start it again.');
  // Locked: an unread body is cancelled when its response is collected, and the function would be released.
  const reader = body?.getReader();
  return () => void reader?.cancel();
};

/** Checks whether a function failed: as a whole, or in some of the messages or changes that it was given. */
export const hasFailed = ({ error, result }: Invocation): boolean => {
  const answer = v.safeParse(v.object({ batchItemFailures: v.array(v.unknown()) }), result);
  return error !== undefined || (answer.success && answer.output.batchItemFailures.length > 0);
};
