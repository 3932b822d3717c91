import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import {
  affectedBy,
  coversAll,
  listTested,
  listTestFiles,
  runVitest,
  startsStack,
  testsFunction,
  toPattern,
} from './commands/test-files.ts';

const help = `npm run test:changed [-- <commit>]    The tests of what has changed since a commit

Default: since this branch left main, and everything that is not committed. Three kinds of tests are run:

  1. files that import what has changed (vitest --changed)
  2. files that name a function with changed code, as tests load handlers by their names;
     files that call built functions (support/stack.ts), of the areas of these functions; and of the parts of
     lib/ that have changed
  3. bad calls, samples and registry of the functions that have changed code

Not seen: a flow of one area that breaks another (test/flows, test/local), and what is read at run time,
such as documents. Run npm test before you hand in a change.
`;

/** More functions than this are tested without a pattern of their names. */
const maxNamed = 40;

const root = join(import.meta.dirname, '..');
const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);

const mergeBase = (): string => {
  for (const branch of ['origin/main', 'main']) {
    try {
      const [commit] = git('merge-base', 'HEAD', branch);
      if (commit) return commit;
    } catch {
      // This clone has no such branch.
    }
  }
  return 'HEAD';
};

/** Files that import what has changed, by Vitest's own look at imports. */
const importing = (base: string): string[] =>
  execFileSync(join(root, 'node_modules/.bin/vitest'), ['list', '--filesOnly', '--json', '--changed', base], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .match(/test\/[\w/.-]+\.test\.ts/g)
    ?.filter((path, index, all) => all.indexOf(path) === index) ?? [];

const main = async (given: readonly string[]): Promise<number> => {
  if (given.some((one) => one.startsWith('-'))) {
    process.stdout.write(help);
    return given.includes('--help') ? 0 : 1;
  }
  const base = given[0] ?? mergeBase();
  const changed = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
  if (changed.length === 0) {
    process.stdout.write(`Nothing has changed since ${base}.\n`);
    return 0;
  }
  const functions = affectedBy(changed, listTested());
  const parts = changed.flatMap((path) => /^lib\/([^/]+)\//.exec(path)?.[1] ?? []);
  const folders = new Set([...functions.map(({ area }) => area), ...parts]);
  const files = listTestFiles();
  const about = files.filter(
    (file) =>
      functions.some((one) => testsFunction(file, one)) ||
      (startsStack(file) && file.path.split('/').some((name) => folders.has(name))),
  );
  const first = new Set([...importing(base), ...about.map(({ path }) => path)]);
  const named = functions.length > 0 && functions.length <= maxNamed ? functions : [];
  const all = functions.length === 0 ? [] : files.filter((file) => coversAll(file) && !first.has(file.path));
  process.stdout.write(
    `${changed.length} files changed since ${base.slice(0, 12)}: ${functions.length} functions have changed code.\n`,
  );
  const statuses = [
    first.size > 0 ? await runVitest(...first) : 0,
    all.length > 0 ? await runVitest(...all.map(({ path }) => path), ...pattern(named.map(({ key }) => key))) : 0,
  ];
  return statuses.find((status) => status !== 0) ?? 0;
};

const pattern = (keys: readonly string[]): string[] => (keys.length > 0 ? ['-t', toPattern(keys)] : []);

process.exitCode = await main(process.argv.slice(2));
