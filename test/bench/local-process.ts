import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { type DemoCredentials, demoCredentialsShape } from '#lib/local/demo/demo-tenant.ts';
import { type Endpoints, readEndpoints } from '#lib/local/endpoints.ts';

/** `npm start`'s own stack, in processes of its own, on a data folder of its own. */
export type LocalProcess = {
  url: string;
  credentials: DemoCredentials;
  endpoints: Endpoints;
  /** From the start of the process until it said that it is ready. */
  secondsToReady: number;
  /** Returns the processor time that the process and its children have used so far, in seconds. */
  cpuSeconds(): number;
  /** The most memory that the service's own process has had. */
  peakMegabytes(): number;
  /** Settles when it has nothing to do, and so leaves the processors alone. */
  untilCalm(): Promise<void>;
  stop(): Promise<void>;
};

/** Returns the command of `npm start`, as package.json has it. */
const startCommand = (): string[] => {
  const { scripts } = v.parse(
    v.object({ scripts: v.object({ start: v.string() }) }),
    JSON.parse(readFileSync('package.json', 'utf8')),
  );
  return scripts.start.split(' ').slice(1);
};

/** `startTime`: the first value of a new data folder's clock. `url`: where it answered before, and is to again. */
type First = { startTime?: string; url?: string };

export const startLocal = async (
  dataFolder: string,
  { startTime = '', url: before }: First = {},
): Promise<LocalProcess> => {
  // The bench has variables of its own for the functions that it runs itself.
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(AWS_|TABLE_NAME$|STAGE_NAME$)/.test(name)),
  );
  const begun = performance.now();
  const child = spawn(process.execPath, startCommand(), {
    env: { ...inherited, PORT: before ? new URL(before).port : '0', DATA_DIR: dataFolder, START_TIME: startTime },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await readyUrl(child);
  const secondsToReady = (performance.now() - begun) / 1000;
  const pid = child.pid ?? 0;
  const endpoints = readEndpoints(dataFolder);
  if (!endpoints) throw new Error('The local stack left no word of where it is');
  const cpuSeconds = () => cpuSecondsOf(pid);
  return {
    url,
    credentials: v.parse(demoCredentialsShape, await (await fetch(`${url}/_local/credentials`)).json()),
    endpoints,
    secondsToReady,
    cpuSeconds,
    peakMegabytes: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    untilCalm: () => untilCalm(cpuSeconds),
    stop: () => stop(child),
  };
};

const readyUrl = async (child: ChildProcess): Promise<string> => {
  const ready = Promise.withResolvers<string>();
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    // Its journal goes on, and is read so that it does not stop; only the beginning is wanted.
    if (output.length < 10_000) output += chunk;
    const [, found] = /^ready (http:\S+)$/m.exec(output) ?? [];
    if (found !== undefined) ready.resolve(found);
  });
  child.once('exit', () => ready.reject(new Error(`The local stack has ended:\n${output}`)));
  return ready.promise;
};

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
};

/** A tick of the kernel's accounts, on every Linux there is. */
const secondsPerTick = 1 / 100;

/** A process's parent and what it has used by itself; undefined if it is no more. */
const readStat = (pid: number): { parent: number; ticks: number } | undefined => {
  try {
    // The name in the second field may hold blanks and brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    // Those of children that have ended and were waited for are in the last two.
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
    return { parent, ticks };
  } catch {
    return undefined;
  }
};

const cpuSecondsOf = (root: number): number => {
  const all = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const stat = readStat(Number(name));
        return stat ? [[Number(name), stat] as const] : [];
      }),
  );
  const isOurs = (pid: number): boolean => pid === root || (pid > 1 && isOurs(all.get(pid)?.parent ?? 0));
  const ticks = [...all].reduce((sum, [pid, stat]) => (isOurs(pid) ? sum + stat.ticks : sum), 0);
  return ticks * secondsPerTick;
};

/** A stack with nothing to do asks its table and queues now and then; one that works gets more than this on a busy machine too. */
const calm = { seconds: 5, cpuSeconds: 0.4 } as const;

const untilCalm = async (cpuSeconds: () => number): Promise<void> => {
  for (;;) {
    const before = cpuSeconds();
    await wait(calm.seconds * 1000);
    if (cpuSeconds() - before < calm.cpuSeconds) return;
  }
};

/**
 * Returns the bytes of a stack's files, without what is free in them and reused, and without the last records of the stream,
 * which are as many after ten alerts as after thousands.
 */
export const bytesHeld = (folder: string): number => {
  const databases = ['table.sqlite', 'state.sqlite'].map((name) => {
    const file = new DatabaseSync(join(folder, name), { readOnly: true });
    const { bytes } = v.parse(v.object({ bytes: v.number() }), file.prepare(bytesInUse).get());
    file.close();
    return bytes;
  });
  return databases.reduce((sum, bytes) => sum + bytes, statSync(join(folder, 'functions.log')).size);
};

const bytesInUse = `SELECT sum(pgsize) AS bytes FROM dbstat('main', 1)
  WHERE name NOT IN ('_stream_records', 'stream_records_by_number')`;
