import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { afterEach } from 'vitest';
import { freePort } from '#lib/local/aws/emulator-process.ts';

/** Programs of the guides, in each language, run as printed. */

export type GuideProgram = { name: string; program: string; args: (port: number) => readonly string[] };

/** The program of a guide in Node, Python and PHP. `name`: of its files, without their endings. */
export const guidePrograms = (name: string): readonly GuideProgram[] => {
  const path = `docs/guides/receivers/${name}`;
  return [
    { name: 'Node', program: process.execPath, args: () => [`${path}.mjs`] },
    { name: 'Python', program: 'python3', args: () => [`${path}.py`] },
    { name: 'PHP', program: 'php', args: (port) => ['-S', `127.0.0.1:${port}`, `${path}.php`] },
  ];
};

/** Checks whether the language of a program is missing here, and warns if so. */
export const isMissing = ({ name, program }: GuideProgram): boolean => {
  if (spawnSync(program, ['--version']).status === 0) return false;
  console.warn(`!!! ${program} is not installed: the program in ${name} is NOT tested.`);
  return true;
};

/** Everything a program prints, and a way to wait for a part of it. */
const watchOutput = (child: ChildProcess) => {
  let text = '';
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      for (const look of waiting) look();
    });
  }
  return {
    text: () => text,
    until: (wanted: RegExp): Promise<void> =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!wanted.test(text)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        child.once('exit', (code) => reject(new Error(`It ended with ${code} and said: ${text}`)));
        look();
      }),
  };
};

/** Starts programs for the tests of a file, one at a time, and stops each after its test. The promise resolves when the program listens. */
export const useGuideProgram = () => {
  let child: ChildProcess | undefined;
  afterEach(async () => {
    if (child && child.exitCode === null) {
      child.kill();
      await once(child, 'exit');
    }
    child = undefined;
  });
  return async ({ program, args }: GuideProgram, variables: Readonly<Record<string, string>>) => {
    const port = await freePort();
    const env = { ...process.env, ...variables, PORT: String(port) };
    child = spawn(program, args(port), { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = watchOutput(child);
    await output.until(/listening on|started/);
    return { url: `http://127.0.0.1:${port}`, output };
  };
};
