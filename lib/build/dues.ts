import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { literal, withoutFormat } from './generated-files.ts';

/** The files that `npm run fix` writes for due work, so that a new kind is added by the file next to its row alone. */

export const registeredDues = 'functions/jobs/registered-dues.ts';

const declares = /^export const (\w+) = defineDue\(/gm;

type DeclaredDue = { file: string; constant: string };

/** The kinds of due work that a project declares, in the order of their files. Throws an Error naming a file that declares none. */
export const declaredDues = (root: string): readonly DeclaredDue[] => {
  const functions = join(root, 'functions');
  const files = readdirSync(functions, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('-due.ts'))
    .sort();
  return files.flatMap((file) => {
    const constants = [...readFileSync(join(functions, file), 'utf8').matchAll(declares)].map(([, name = '']) => name);
    if (constants.length === 0) throw new Error(`functions/${file} exports no constant that is made by defineDue`);
    return constants.map((constant) => ({ file, constant }));
  });
};

/** The text of the registration. */
export const registeredDuesText = (declared: readonly DeclaredDue[]): string =>
  [
    '// Written by npm run fix, from the files <noun>-due.ts next to the rows that wait for work.',
    ...declared.map(({ file, constant }) => `import { ${constant} } from ${literal(`#${file}`)};`),
    "import type { Due } from '#core/platform/work/due.ts';",
    '',
    '/** Every kind of due work. */',
    `export const dues: readonly Due[] = [\n${declared.map(({ constant }) => `  ${constant},\n`).join('')}];`,
    '',
  ].join('\n');

/** The registration by its path, if it does not say what the project declares. */
export const staleDues = (root: string): ReadonlyMap<string, string> => {
  const text = registeredDuesText(declaredDues(root));
  const written = readFileSync(join(root, registeredDues), 'utf8');
  const linesOf = (source: string) => source.split('\n').map(withoutFormat).sort().join('\n');
  return new Map(linesOf(written) === linesOf(text) ? [] : [[registeredDues, text]]);
};
