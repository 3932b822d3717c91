import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declarationFiles, folderOf } from '#functions/found.ts';

/**
 * `npm run test:op -- <area>/<name>`: the tests of one operation or worker. First the files that import it and no whole stack;
 * then, of those that go over all operations, what is about this one: registry, bad calls and sample event.
 */
const [name = ''] = process.argv.slice(2);
const root = join(import.meta.dirname, '..');
const known = [...declarationFiles('operation.ts'), ...declarationFiles('worker.ts')].map(
  ({ area, name: own }) => `${area}/${own}`,
);

const testFiles = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => ({ path: join('test', path), text: readFileSync(join(root, 'test', path), 'utf8') }));
const goesOverAll = /testBadCalls\(|describe\.each\(\[\.\.\.operations/;
const startsStack = /support\/stack\.ts'/;

const vitest = async (...args: string[]): Promise<number> => {
  const program = join(root, 'node_modules', '.bin', 'vitest');
  const [status] = await once(spawn(program, ['run', ...args], { cwd: root, stdio: 'inherit' }), 'close');
  return Number(status);
};

/** As a pattern that matches no operation whose name only begins so. */
const exactly = (text: string): string => `${text.replace('/', '\\/')}(?![\\w-])`;

const main = async (): Promise<number> => {
  if (!known.includes(name)) {
    const near = known.filter((one) => one.split('/')[0] === name.split('/')[0]);
    process.stderr.write(
      `There is no operation ${name || '(none was named)'}. ${near.length > 0 ? `There are ${near.sort().join(', ')}.` : 'Name one as area/name.'}\n`,
    );
    return 1;
  }
  const [area = '', own = ''] = name.split('/');
  const folder = `#${folderOf({ area, name: own }).slice('functions/'.length)}/`;
  const importing = testFiles.filter(({ text }) => text.includes(folder) && !startsStack.test(text));
  const all = testFiles.filter(({ path, text }) => goesOverAll.test(text) || path.endsWith('flows/samples.test.ts'));
  const first = importing.length > 0 ? await vitest(...importing.map(({ path }) => path)) : 0;
  const second = await vitest(...all.map(({ path }) => path), '-t', exactly(name));
  return first || second;
};

process.exitCode = await main();
