import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { declarationFiles } from '#functions/declaration-files.ts';

/** Which test files are about a function, for `npm run test:op` and `npm run test:changed`. Paths start at the repository. */

const root = join(import.meta.dirname, '../..');

/** An operation or worker. `folder`: where it is declared. `key`: `area/name`. */
export type Tested = { key: string; area: string; folder: string };
export type TestFile = { path: string; text: string };

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
const readSource = (path: string): string => readFileSync(join(root, path), 'utf8');
/** All operations and workers. */
export const listTested = (): Tested[] =>
  (['operation.ts', 'worker.ts'] as const)
    .flatMap(declarationFiles)
    .map(({ area, name, path }) => ({ key: `${area}/${name}`, area, folder: join('functions', dirname(path)) }));

export const listTestFiles = (): TestFile[] =>
  filesIn('test')
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => ({ path, text: readSource(path) }));

/** Tells whether a test file calls built functions instead of importing them. */
export const startsStack = ({ text }: TestFile): boolean => /support\/stack\.ts'/.test(text);

/** Tells whether a test file calls a function by its name or imports something of its folder. */
export const testsFunction = ({ text }: TestFile, { key, folder }: Tested): boolean =>
  text.includes(`'${key}'`) || text.includes(`${folder.replace('functions/', '#')}/`);

/** Tells whether a test file covers all operations, with a test named after each. */
export const coversAll = ({ path, text }: TestFile): boolean =>
  /testBadCalls\(|describe\.each\(\[\.\.\.operations/.test(text) || path.endsWith('flows/samples.test.ts');

/** Runs Vitest with the terminal's output. Returns its exit code. */
export const runVitest = async (...args: string[]): Promise<number> => {
  const [status] = await once(spawn(vitest, ['run', ...args], { cwd: root, stdio: 'inherit' }), 'close');
  return Number(status);
};
const vitest = join(root, 'node_modules', '.bin', 'vitest');

/** Runs a command of the shell and prints its output when it has ended, as others may run at the same time. Returns its exit code. */
export const runShown = async (command: string): Promise<number> => {
  const child = spawn(command, { cwd: root, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => printed.push(part));
  const [status] = await once(child, 'close');
  process.stdout.write(Buffer.concat(printed));
  if (status !== 0) process.stdout.write(`\nFailed: ${command}\n`);
  return Number(status);
};

/** Returns a pattern for `-t` that matches these operations, but no operation whose name is longer. */
export const toPattern = (keys: readonly string[]): string =>
  `(?:${keys.map((key) => key.replace('/', '\\/')).join('|')})(?![\\w-])`;

const imported = /(?:from|import) ?\(?'([.#][^']+\.ts)'/g;
const { imports = {} }: { imports?: Record<string, string> } = JSON.parse(readSource('package.json'));

/** The file that an import names: a relative path, or one of the subpaths that package.json declares (`#core/*`). */
const resolveImport = (importer: string, specifier: string): string | undefined => {
  if (specifier.startsWith('.')) return relative(root, resolve(root, dirname(importer), specifier));
  for (const [name, target] of Object.entries(imports)) {
    const prefix = name.replace('*', '');
    if (specifier.startsWith(prefix)) return join(target.replace('*', specifier.slice(prefix.length)));
  }
  return undefined;
};

/** The operations and workers whose code has one of these files. */
export const affectedBy = (changed: readonly string[], all: readonly Tested[]): Tested[] => {
  const importers = new Map<string, string[]>();
  for (const path of filesIn('functions').filter((one) => one.endsWith('.ts'))) {
    for (const [, specifier = ''] of readSource(path).matchAll(imported)) {
      const file = resolveImport(path, specifier);
      if (file !== undefined) importers.set(file, [...(importers.get(file) ?? []), path]);
    }
  }
  const reached = new Set(changed);
  for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer);
  return all.filter(({ key, folder }) => reached.has(join(folder, 'handler.ts')) || changed.includes(sampleFile(key)));
};

const sampleFile = (key: string): string => `events/${key}.json`;
