import { recordNames } from '#core/kernel/record-of.ts';

/** The random source of a made-up past: the same seed draws the same. */
export type Chance = {
  /** Below 1, and never below 0. */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  pick<T>(list: readonly T[]): T;
  /** One of several, each as often as its weight says. */
  pickWeighted<T extends string>(weights: Readonly<Record<T, number>>): T;
};

/** Mulberry32: small, and good enough for samples. */
export const createChance = (seed: number): Chance => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    pick: <T>(list: readonly T[]): T => {
      const picked = list[between(0, list.length - 1)];
      if (picked === undefined) throw new Error('There is nothing to pick from.');
      return picked;
    },
    pickWeighted: <T extends string>(weights: Readonly<Record<T, number>>) => {
      const names = recordNames(weights);
      let left = next() * names.reduce((sum, name) => sum + weights[name], 0);
      const found = names.find((name) => {
        left -= weights[name];
        return left < 0;
      });
      const chosen = found ?? names[0];
      if (chosen === undefined) throw new Error('There is nothing to pick from.');
      return chosen;
    },
  };
};
