import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Asked } from './history.ts';
import { tellAll } from './history-workers.ts';
import { profileNames } from './profiles.ts';
import { ReachedCode } from './unreached-code.ts';
import type { Found } from './worker.ts';
import { nthVariant } from './world/random.ts';

/** Where histories that broke an invariant are kept, each in a file of its profile and seed. */
export const corpusFolder = new URL('corpus', import.meta.url).pathname;

/** The list of those that were the first to reach some code: a profile and a seed in each line. */
const reachedFile = 'reached.txt';
/** `npm run test:slow` plays them all. */
const maxReached = 100;

const historyIn = (text: string): Asked[] => {
  const [, name, seed] = /^(\w+)[- ](\d+)(?:\.txt)?$/.exec(text) ?? [];
  const profile = profileNames.find((one) => one === name);
  return profile ? [{ seed: Number(seed), profile }] : [];
};

const reachedLines = (folder: string): string[] => {
  const path = join(folder, reachedFile);
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
};

/** The histories that a corpus keeps. */
export const corpusIn = (folder: string): Asked[] =>
  [...(existsSync(folder) ? readdirSync(folder) : []), ...reachedLines(folder)].flatMap(historyIn);

const perNew = 4;
const maxVariants = 1000;

/**
 * Chooses the histories of a night: those of the corpus first, then fresh seeds of all profiles in turn. Every second one is a variant of a
 * history that reached new code, while there are any.
 */
class Search {
  readonly #corpus: readonly Asked[];
  readonly #code = new ReachedCode();
  readonly #variants: Asked[] = [];
  readonly #first: Asked[] = [];
  #made = 0;

  constructor(corpus: readonly Asked[]) {
    this.#corpus = corpus;
  }

  *histories(minutes: number, from: number): Generator<Asked> {
    const end = performance.now() + minutes * 60_000;
    yield* this.#corpus;
    for (let seed = from; performance.now() < end; seed += 1) {
      yield { seed, profile: profileNames[seed % profileNames.length] ?? 'all' };
      const variant = this.#variants.pop();
      if (variant) yield variant;
    }
  }

  note({ seed, profile, reached = [] }: Found): void {
    if (this.#code.add(reached).length === 0) return;
    this.#first.push({ seed, profile });
    for (let number = 0; number < perNew && this.#variants.length < maxVariants; number += 1) {
      this.#made += 1;
      this.#variants.push({ seed: nthVariant(seed, this.#made), profile });
    }
  }

  /** The histories that reached code which those before them had not, also of the corpus: others need not be kept. */
  get first(): readonly Asked[] {
    return this.#first;
  }
}

/** As many of one invariant are shortened, which takes dozens of histories each. */
const mostShortened = 3;

type Night = { minutes: number; from: number; workers: number; folder: string; print: (line: string) => void };

/**
 * Plays fresh histories for some minutes. Keeps each that breaks an invariant in the corpus, with its story where it was shortened, and the
 * first ones that reached some code. Returns how many broke an invariant.
 */
export const playNightly = async ({ minutes, from, workers, folder, print }: Night): Promise<number> => {
  const broken: Found[] = [];
  let count = 0;
  const search = new Search(corpusIn(folder));
  const note = (share: readonly Found[]): void => {
    count += share.length;
    broken.push(...share.filter(({ violations }) => violations.length > 0));
    for (const one of share) search.note(one);
  };
  await tellAll(search.histories(minutes, from), workers, note, { isMeasured: true });
  print(`${count} histories from seed ${from} on, ${broken.length} with violations`);
  mkdirSync(folder, { recursive: true });
  const before = reachedLines(folder);
  const lines = search.first.map(({ seed, profile }) => `${profile} ${seed}`);
  print(`${lines.filter((line) => !before.includes(line)).length} reached code that none had reached before`);
  writeFileSync(
    join(folder, reachedFile),
    lines
      .slice(0, maxReached)
      .map((line) => `${line}\n`)
      .join(''),
  );
  for (const [, list] of Map.groupBy(broken, ({ violations }) => violations[0]?.invariant)) {
    for (const [index, one] of list.entries()) {
      const story =
        index < mostShortened
          ? await tellShort(one)
          : [`npm run simulate -- --seed ${one.seed} --profile ${one.profile}`];
      writeFileSync(join(folder, `${one.profile}-${one.seed}.txt`), `${story.join('\n')}\n`);
      if (index < mostShortened) for (const line of ['', ...story]) print(line);
    }
  }
  return broken.length;
};

const tellShort = async ({ seed, profile, violations }: Found): Promise<string[]> => {
  const [{ tell }, { stage }, { shorten }, { tellStory }] = await Promise.all([
    import('./history.ts'),
    import('./ready.ts'),
    import('./shorten.ts'),
    import('./story.ts'),
  ]);
  const needed = await shorten({ seed, profile }, violations[0]?.invariant ?? '', stage);
  return tellStory(await tell({ seed, profile, only: new Set(needed), isTraced: true }, stage), needed);
};
