import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/* How many lines each shelf has, and how many more or fewer than the last release: part of `npm run check`. */

const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
const linesIn = (folder) =>
  git('ls-files', '-z', folder)
    .split('\0')
    .filter((file) => /\.(?:ts|tsx|mjs|js|css)$/.test(file))
    .reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);

const [version, commit] = Object.entries(JSON.parse(readFileSync('docs/releases.json', 'utf8'))).at(-1);
/** Undefined in a clone without the release's commit. */
const countChange = (folder) => {
  try {
    return git('diff', '--numstat', commit, '--', folder)
      .split('\n')
      .map((line) => line.split('\t'))
      .filter(([, , file]) => /\.(?:ts|tsx|mjs|js|css)$/.test(file ?? ''))
      .reduce((sum, [added, removed]) => sum + Number(added) - Number(removed), 0);
  } catch {
    return undefined;
  }
};
const number = (count) => new Intl.NumberFormat('en', { signDisplay: 'exceptZero' }).format(count);
const sizes = ['functions', 'lib', 'test'].map((shelf) => {
  const change = countChange(shelf);
  const since = change === undefined ? '' : ` (${number(change)} since ${version})`;
  return `${shelf} ${number(linesIn(shelf)).replace('+', '')}${since}`;
});
process.stdout.write(`Lines: ${sizes.join(', ')}\n`);
