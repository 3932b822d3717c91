import { relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import pc from 'picocolors';
import { openBuild } from './build/build.ts';
import { demoClientId } from './demo/demo-tenant.ts';
import { deliveryTexts } from './developer/delivery-watch.ts';
import { logFile } from './functions/function-log.ts';
import { createMemoryWatch } from './functions/memory-watch.ts';
import { startWebServer } from './gateway/web-server.ts';
import { createJournal, instantText, row } from './journal.ts';
import { readOptions } from './options.ts';
import { type LocalStack, startLocalStack, type Watch } from './stack.ts';
import { codeIn, errorText, UserError } from './user-error.ts';

export const print = (line = ''): void => void process.stdout.write(`${line}\n`);

/** `npm start`: builds what has changed, runs the service until it is stopped, and reports what happens. */
export const runLocal = async (): Promise<void> => {
  const begun = performance.now();
  bearNoReaders();
  const options = readOptions(process.env);
  await refuseTakenPort(options.port, options.bindAddress);
  print(`\n  ${pc.bold('Forewarn')} ${pc.dim('· the whole service on this machine')}\n`);
  if (process.stdout.isTTY) process.stdout.write(`${row('template', pc.dim('…'))}\r`);
  const { template, templateFolder, code, names } = await openBuild();
  print(row('template', template.isCached ? 'as before' : `synthesized in ${secondsSince(begun)} s`));
  const watch: { current: Partial<Watch> } = { current: {} };
  const stack = await startLocalStack({
    ...options,
    withPast: true,
    templateFolder,
    code,
    watch: {
      onServed: (served) => watch.current.onServed?.(served),
      onInvocation: (invocation) => watch.current.onInvocation?.(invocation),
      onFire: (firing) => watch.current.onFire?.(firing),
      onProblem: (sentence) => watch.current.onProblem?.(sentence),
    },
  });
  // Before the stack reports that it is ready: a waiting process may stop it at once.
  const told = untilTold(stack);
  describe(stack, options.dataFolder, options.startTime);
  print(`ready ${stack.url}`);
  print();
  watch.current = createJournal({
    now: stack.clock.now,
    print,
    logFile: logFile(options.dataFolder),
    deliveries: (logs) => deliveryTexts(logs, stack.tables.client, stack.tables.names[0] ?? ''),
  });
  // A function that forgot to wait for something must not take the others down.
  process.on('unhandledRejection', (error) =>
    watch.current.onProblem?.(`Nobody waited for a failure: ${errorText(error)}`),
  );
  const checkMemory = createMemoryWatch(getHeapStatistics, {
    forget: stack.runner.forget,
    onProblem: (sentence) => watch.current.onProblem?.(sentence),
  });
  setInterval(checkMemory, 10_000).unref();
  // In the background, so that the first call of a function need not wait; a call of one that does not build gets the reason.
  code.prepare(names).catch((error) => watch.current.onProblem?.(errorText(error)));
  await told;
};

/** The reader of the output may go away: that ends the journal, not the service. */
export const bearNoReaders = (): void => {
  process.stdout.on('error', (error) => {
    if (codeIn(error) !== 'EPIPE') throw error;
  });
};

const secondsSince = (begun: number): string => ((performance.now() - begun) / 1000).toFixed(1);

/** The port is opened only later; but a person should not wait for a build to learn that it is in use. */
export const refuseTakenPort = async (port: number, bindAddress?: string): Promise<void> => {
  const observer = { onServed: () => undefined, onFault: () => undefined };
  await (await startWebServer(port, observer, bindAddress)).close();
};

export const describe = (stack: LocalStack, folder: string, startTime: number | undefined): void => {
  const functions = stack.runner.definitions.length;
  print(
    row('functions', `${functions}, ${stack.tables.names.length} table, ${stack.queues.definitions.length} queues`),
  );
  const nearby = relative('.', folder);
  print(row('data', nearby.startsWith('..') ? folder : nearby || '.'));
  const isOlder = startTime !== undefined && stack.clock.now() - startTime > 60_000;
  const note = isOlder ? pc.dim(' (as it was left; START_TIME is for a new data folder)') : '';
  print(row('clock', `${instantText(stack.clock.now())}${note}`));
  print(row('documents', `${stack.url}/docs`));
  print(row('dashboard', `${stack.url}/dashboard`));
  print(row('bank', `${stack.url}/sandbox/bank?client=${demoClientId}`));
  print(row('sign in', `curl ${stack.url}/_local/credentials`));
  print();
};

/** Settles when the person or the system asks the stack to stop. Rejects when it cannot go on by itself. */
export const untilTold = async (stack: Pick<LocalStack, 'failed' | 'stop'>): Promise<void> => {
  const told = Promise.withResolvers<void>();
  const onSignal = (): void => {
    // Asked twice, it goes at once; its children and its data can bear that.
    for (const signal of signals) process.off(signal, onSignal);
    told.resolve();
  };
  for (const signal of signals) process.on(signal, onSignal);
  const failure = await Promise.race([told.promise, stack.failed]);
  if (!failure) print(`\n  ${pc.dim('stopping …')}`);
  // Slower work is resumed at the next start, as after a crash.
  await Promise.race([stack.stop(), wait(maxStopMilliseconds)]);
  if (failure instanceof UserError) throw failure;
};

/** Long enough for a slow machine; a second signal ends the program at once. */
const maxStopMilliseconds = 60_000;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
