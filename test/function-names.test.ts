import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** A function says what it does, or what it makes; a participle says what something is, which is for data. */

/** Participles that do not end in -ed, but for those that are verbs too, such as `set` and `read`. */
const irregular = new Set(
  [
    'begun bound broken brought built chosen done drawn driven felt forgotten found frozen given gone heard held hidden kept known',
    'left lent lost made met overtaken paid proven said seen sent shown sold spent spoken sunk taken thought told torn',
    'understood undone withdrawn withheld worn woven written',
  ].flatMap((line) => line.split(' ')),
);
/** Verbs and nouns that end in -ed. */
const otherwise = new Set('bleed breed embed exceed feed heed need proceed seed speed succeed'.split(' '));

const isParticiple = (word: string): boolean =>
  (/ed$/.test(word) && !otherwise.has(word)) ||
  irregular.has(word.replace(/^(?:un|re)(?=[a-z]{4})/, '')) ||
  irregular.has(word);

/**
 * The words that may follow a participle without making it a noun: `takenBack`, `owedAnew`. `owedAt` is a time, `shownFields` are
 * fields.
 */
const adverbs = /^(?:Again|Anew|Away|Back|Elsewhere|Late|Later|Now|Off|Once|Out|To|Up)$/;

/** Constants that are arrow functions, and functions: names of components, which are nouns, begin with a capital letter. */
const declared =
  /^ *(?:export )?(?:const ([a-z]\w*)(?:: [^=\n]+)? =\s+(?:async )?(?=[(<])|(?:async )?function ([a-z]\w*))/gm;

const closingOf: Readonly<Record<string, string>> = { '(': ')', '<': '>' };

/** Where a bracket that opens at a place is closed. */
const findClose = (text: string, start: number): number => {
  const [open, close] = [text.charAt(start), closingOf[text.charAt(start)]];
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === open) depth += 1;
    // The arrow of a type closes nothing.
    else if (text[at] === close && text[at - 1] !== '=' && --depth === 0) return at + 1;
  }
  return text.length;
};

/** Checks whether an arrow function begins here, rather than an expression in brackets. */
const isArrow = (text: string, start: number): boolean => {
  const from = text[start] === '<' ? findClose(text, start) : start;
  return text[from] === '(' && /^(?:: [^;]{1,400}?)? =>/.test(text.slice(findClose(text, from)));
};

/** Names of functions that read as if they were data. */
const participlesIn = (text: string): string[] =>
  [...text.matchAll(declared)].flatMap((match) => {
    const [whole, constant, name = constant ?? ''] = match;
    const [first = '', second = '', ...more] = name.split(/(?=[A-Z])/);
    const isBare = second === '' || (adverbs.test(second) && more.length === 0);
    const isFunction = constant === undefined || isArrow(text, match.index + whole.length);
    return isBare && isFunction && isParticiple(first) ? [name] : [];
  });

it('calls functions by verbs, or by what they make', () => {
  const files = globSync(['functions/**/*.ts', 'lib/**/*.{ts,tsx}', 'bin/**/*.ts']);
  const found = files.flatMap((file) => participlesIn(readFileSync(file, 'utf8')).map((name) => `${file}: ${name}`));
  expect(
    found,
    'A participle is a name for data. Call the function by its verb (`reopenAlert`, not `reopened`) or by what it makes (`toRefundDto`)',
  ).toEqual([]);
});

/** Functions that read or write are verbs: a name that ends in `Of` promises a pure projection. */
const asyncProjection = /^ *(?:export )?(?:const ([a-z]\w*Of) =\s+async |async function ([a-z]\w*Of)\b)/gm;

it('keeps names that end in Of for functions without calls', () => {
  const found = globSync('functions/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(asyncProjection)].map(([, one, other]) => `${file}: ${one ?? other}`),
  );
  expect(found, 'Begin the name with get, find, read or list, or with what the function writes').toEqual([]);
});

/** The share of top-level functions whose names may end in Of, a form that does not say what the function does. */
const maxShareOfOf = 0.03;

it('lets few functions end in Of', () => {
  const files = globSync(['functions/**/*.ts', 'lib/**/*.{ts,tsx}', 'bin/**/*.ts', 'test/**/*.ts']);
  const names = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8').replace(/^ .*/gm, ' ');
    return [...text.matchAll(declared)].map(([, constant, name = constant ?? '']) => name);
  });
  const found = names.filter((name) => name.endsWith('Of'));
  expect(names.length).toBeGreaterThan(5_000);
  expect(found.length / names.length, 'Name the action (`readCardBody`) or the result (`toRefund`)').toBeLessThan(
    maxShareOfOf,
  );
});

it('tells functions from data, and participles from other words', () => {
  const text = `
const reopened = (alert: Alert): Alert => ({ ...alert });
export const takenBack = async <T extends { of: () => void }>(
  { outcome }: T,
): Promise<T> => outcome;
const fixed: Change = (one) => one;
async function undone() {}
const owedAt = (delivery: Delivery) => delivery.at;
const seed = () => 1;
const kept = (list.length + 1) * 2;
const known = new Map();
const Known = () => null;
`;
  expect(participlesIn(text)).toEqual(['reopened', 'takenBack', 'fixed', 'undone']);
});
