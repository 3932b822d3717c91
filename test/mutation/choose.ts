import type { Mutation } from './plan.ts';

/** Which test files are to try which mutants: those that reach them, the nearest and fastest first. */

/** `loading`: the mutant works while modules load, so that the file must reload them. */
export type Reach = { test: string; milliseconds: number; loading: boolean };
export type Undecided = { mutant: Mutation; reaches: readonly Reach[] };
export type Chosen = { test: string; mutants: Mutation[] };

/** Reloading takes seconds, and nearly every file loads nearly every schema. */
const maxTests = { running: 12, loading: 4 };
/** Of a mutant that survives, without the first file. */
const maxMilliseconds = 30_000;

const listFolders = (path: string): string[] => path.split('/').slice(1, -1);
const baseName = (path: string): string => path.split('/').at(-1)?.split('.')[0] ?? '';

/** The folders that they share, and more if they share a name. */
const nearness = (source: string, test: string): number => {
  const [one, other] = [listFolders(source), listFolders(test)];
  const shared = one.findIndex((folder, index) => folder !== other[index]);
  const words = new Set(baseName(source).split('-'));
  const sameWords = baseName(test)
    .split('-')
    .filter((word) => words.has(word)).length;
  return (shared === -1 ? one.length : shared) + sameWords;
};

/** A file that is one folder nearer may take three times as long. */
const rank = (mutant: Mutation, { test, milliseconds }: Reach): number =>
  milliseconds / 3 ** nearness(mutant.file, test);

/** `isThorough`: all that reach it. */
export const chooseTests = (undecided: readonly Undecided[], isThorough = false): Chosen[] => {
  const chosen = new Map<string, { mutants: Mutation[]; ranks: number }>();
  for (const { mutant, reaches } of undecided) {
    let [milliseconds, running, loading] = [0, 0, 0];
    for (const reach of reaches.toSorted((one, other) => rank(mutant, one) - rank(mutant, other))) {
      const isOver = reach.loading ? loading >= maxTests.loading : running >= maxTests.running;
      if (!isThorough && (isOver || (milliseconds > 0 && milliseconds + reach.milliseconds > maxMilliseconds)))
        continue;
      milliseconds += reach.milliseconds;
      if (reach.loading) loading += 1;
      else running += 1;
      const entry = chosen.get(reach.test) ?? { mutants: [], ranks: 0 };
      entry.mutants.push(mutant);
      entry.ranks += rank(mutant, reach);
      chosen.set(reach.test, entry);
    }
  }
  return [...chosen]
    .map(([test, { mutants, ranks }]) => ({ test, mutants, rank: ranks / mutants.length }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ test, mutants }) => ({ test, mutants }));
};
