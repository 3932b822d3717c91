import { readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:inspector';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pc from 'picocolors';
import { type Build, openBuild } from './build/build.ts';
import { findDeclared, readDeclared } from './build/declared-functions.ts';
import { createDigests, projectRoot } from './build/digests.ts';
import { buildTemplate } from './build/template.ts';
import { createEdits, createReloader, watchFolders } from './dev.ts';
import { deliveryTexts } from './developer/delivery-watch.ts';
import { logFile } from './functions/function-log.ts';
import { createJournal, row } from './journal.ts';
import { type Options, readOptions } from './options.ts';
import { bearNoReaders, describe, print, refuseTakenPort, untilTold } from './run.ts';
import { type LocalStack, startLocalStack, type Watch } from './stack.ts';
import { errorText, UserError } from './user-error.ts';

const watched = ['functions', 'lib/dashboard', 'lib/sdk'] as const;
const usualInspectorPort = 9229;

/**
 * `npm run dev`: runs the service as `npm start` does, reloads what is edited while it runs, and says so. Functions keep their names and
 * lines, for debuggers and stack traces. `--inspect`, or `--inspect=<port>`: a debugger may attach; functions then have no time limit.
 */
export const runDev = async (args: readonly string[]): Promise<void> => {
  const inspectorPort = inspectorPortOf(args);
  bearNoReaders();
  const options = readOptions(process.env);
  await refuseTakenPort(options.port);
  print(`\n  ${pc.bold('Forewarn')} ${pc.dim('· reloads what you edit')}\n`);
  process.setSourceMapsEnabled(true);
  if (inspectorPort !== undefined) open(inspectorPort, '127.0.0.1');
  const failed = Promise.withResolvers<UserError>();
  const replaced = new Set<LocalStack>();
  const start = async (port: number) => {
    const running = await startSession({ ...options, port }, inspectorPort === undefined);
    // One that is being replaced ends by being stopped.
    running.stack.failed.then((error) => replaced.has(running.stack) || failed.resolve(error));
    return running;
  };
  let current = await start(options.port);
  // Before the stack reports that it is ready: a waiting process may stop it at once.
  const told = untilTold({ failed: failed.promise, stop: () => current.stack.stop() });
  describe(current.stack, options.dataFolder, options.startTime);
  print(`ready ${current.stack.url}\n`);
  const takeTemplate = async () => {
    if (!(await current.hasOtherTemplate())) return;
    const { port } = current.stack.web;
    print(row('template', 'changed: the stack restarts on the same data'));
    replaced.add(current.stack);
    await current.stack.stop();
    current = await start(port);
    print(`ready ${current.stack.url}\n`);
  };
  const onEdit = createEdits({
    current: () => current,
    takeTemplate,
    onFailure: (error) => print(`  ${pc.red(`! ${errorText(error)}`)}`),
  });
  const unwatch = watchFolders(projectRoot, watched, onEdit);
  await told;
  unwatch();
};

type Session = {
  stack: LocalStack;
  reload(): Promise<void>;
  /** True if what is declared has come to make another template than the one that runs. */
  hasOtherTemplate(): Promise<boolean>;
};

const startSession = async (options: Options, timeLimits: boolean): Promise<Session> => {
  const build = await openBuild('readable');
  const journal: { current: Partial<Watch> } = { current: {} };
  const onProblem = (sentence: string) => journal.current.onProblem?.(sentence);
  const stack = await startLocalStack({
    ...options,
    templateFolder: build.templateFolder,
    code: build.code,
    timeLimits: options.timeLimits && timeLimits,
    watch: {
      onServed: (served) => journal.current.onServed?.(served),
      onInvocation: (invocation) => journal.current.onInvocation?.(invocation),
      onFire: (firing) => journal.current.onFire?.(firing),
      onProblem,
    },
  });
  journal.current = createJournal({
    now: stack.clock.now,
    print,
    logFile: logFile(options.dataFolder),
    deliveries: (logs) => deliveryTexts(logs, stack.tables.client, stack.tables.names[0] ?? ''),
  });
  const declared = readDeclared(build.templateFolder);
  const nameOf = ({ name }: { name: string }) => {
    const one = findDeclared(declared, name);
    return one && `${one.area}/${one.name}`;
  };
  const reload = createReloader({
    ...build,
    ...stack,
    nameOf,
    print: (line) => print(`  ${pc.green('↻')} ${line}`),
    onProblem,
  });
  return { stack, reload, hasOtherTemplate: () => hasOtherTemplate(build) };
};

const hasOtherTemplate = async ({ template, templateFolder }: Build): Promise<boolean> => {
  if (template.isCurrent()) return false;
  const { folder } = await buildTemplate(createDigests());
  return templateText(folder) !== templateText(templateFolder);
};

/** Templates and declarations; the files next to them record when they were made. */
const templateText = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.template.json') || name === 'declared.json')
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

const inspectorPortOf = (args: readonly string[]): number | undefined => {
  const { values } = parseArgs({
    args: args.map((one) => (one === '--inspect' ? `--inspect=${usualInspectorPort}` : one)),
    options: { inspect: { type: 'string' } },
  });
  if (values.inspect === undefined) return undefined;
  const port = Number(values.inspect);
  if (!/^\d{1,5}$/.test(values.inspect) || port > 65_535)
    throw new UserError(`--inspect takes a port, not ${values.inspect}.`);
  return port;
};
