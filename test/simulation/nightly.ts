import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tellAll } from './crew.ts';
import type { Asked } from './history.ts';
import { profileNames } from './profiles.ts';
import type { Found } from './worker.ts';

/** Where histories that broke an invariant are kept, each in a file of its profile and seed. */
export const corpusFolder = new URL('corpus', import.meta.url).pathname;

/** The histories that a corpus keeps. */
export const corpusIn = (folder: string): Asked[] =>
  readdirSync(folder).flatMap((file) => {
    const [, name, seed] = /^(\w+)-(\d+)\.txt$/.exec(file) ?? [];
    const profile = profileNames.find((one) => one === name);
    return profile ? [{ seed: Number(seed), profile }] : [];
  });

/** Histories of all profiles in turn, from a seed on, for some minutes from when the first is asked for. */
function* historiesFor(minutes: number, from: number): Generator<Asked> {
  const end = performance.now() + minutes * 60_000;
  for (let seed = from; performance.now() < end; seed += 1) {
    yield { seed, profile: profileNames[seed % profileNames.length] ?? 'all' };
  }
}

/** As many of one invariant are shortened, which takes dozens of histories each. */
const mostShortened = 3;

type Night = { minutes: number; from: number; workers: number; folder: string; print: (line: string) => void };

/**
 * Plays fresh histories for some minutes. Keeps each that breaks an invariant in the corpus, with its story where it was shortened; returns
 * how many there were.
 */
export const playNightly = async ({ minutes, from, workers, folder, print }: Night): Promise<number> => {
  const broken: Found[] = [];
  let count = 0;
  await tellAll(historiesFor(minutes, from), workers, (share) => {
    count += share.length;
    broken.push(...share.filter(({ violations }) => violations.length > 0));
  });
  print(`${count} histories from seed ${from} on, ${broken.length} with violations`);
  mkdirSync(folder, { recursive: true });
  for (const [, list] of Map.groupBy(broken, ({ violations }) => violations[0]?.invariant)) {
    for (const [index, one] of list.entries()) {
      const story =
        index < mostShortened
          ? await shortStoryOf(one)
          : [`npm run simulate -- --seed ${one.seed} --profile ${one.profile}`];
      writeFileSync(join(folder, `${one.profile}-${one.seed}.txt`), `${story.join('\n')}\n`);
      if (index < mostShortened) for (const line of ['', ...story]) print(line);
    }
  }
  return broken.length;
};

const shortStoryOf = async ({ seed, profile, violations }: Found): Promise<string[]> => {
  const [{ tell }, { stage }, { shorten }, { storyOf }] = await Promise.all([
    import('./history.ts'),
    import('./ready.ts'),
    import('./shorten.ts'),
    import('./story.ts'),
  ]);
  const needed = await shorten({ seed, profile }, violations[0]?.invariant ?? '', stage);
  return storyOf(await tell({ seed, profile, only: new Set(needed), isTraced: true }, stage), needed);
};
