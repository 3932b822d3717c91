import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { UserError } from '../user-error.ts';

/** A program that runs next to the stack and never outlives it. */
export type EmulatorProcess = {
  url: string;
  pid: number | undefined;
  stop(): Promise<void>;
  /** Settles when the program has ended by itself, with a sentence about it. */
  failed: Promise<UserError>;
};

/**
 * Runs the program and waits for it; next to it runs a reader of a pipe whose other end only the stack holds. However the stack ends, the
 * pipe closes and the program is killed.
 */
const script =
  '"$0" "$@" 3<&- & child=$!; { cat <&3 >/dev/null; kill -9 "$child"; } 2>/dev/null & exec 3<&-; wait "$child"';

/** Starts the DynamoDB emulator on a file. Throws UserError when it is not there or does not come up. */
export const startTableEmulator = async (file: string): Promise<EmulatorProcess> => {
  const port = await freePort();
  const options = ['serve', '--port', String(port), '--db-path', file];
  // Of a group of its own: a Ctrl-C in the terminal is the stack's to handle.
  const child = spawn('/bin/sh', ['-c', script, emulatorBinary(), ...options], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const words: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => words.push(chunk.toString()));
  const ended = once(child, 'exit').then(() => new UserError(endSentence(file, words.join(''))));
  const url = `http://127.0.0.1:${port}`;
  await Promise.race([untilAnswering(url), ended.then((error) => Promise.reject(error))]);
  return { url, pid: child.pid, failed: ended, stop: () => stop(child) };
};

const endSentence = (file: string, words: string): string => {
  const [last = ''] = words.trim().split('\n').slice(-1);
  return `The DynamoDB emulator on ${file} has ended${last && ` (${last.trim()})`}; if it does so again, remove the file.`;
};

const emulatorBinary = (): string => {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'dynoxide');
  } catch (error) {
    const message = `The DynamoDB emulator (${name}) is not installed; run npm ci, or point AWS_ENDPOINT_URL_DYNAMODB at another one.`;
    throw new UserError(message, { cause: error });
  }
};

/** Returns a free port of this machine. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
};

const untilAnswering = async (url: string): Promise<void> => {
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await wait(10);
  }
  throw new UserError('The DynamoDB emulator does not answer.');
};

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const [, , , pipe] = child.stdio;
  pipe?.destroy();
  await ended;
};
