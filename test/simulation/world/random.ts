/**
 * Chance by the seed. Each user has a generator of its own, named after it: what one draws more or less changes nothing for the
 * others, so that a history from which one fault was removed stays much the same.
 */
export type Random = {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from 0 to below `limit`. */
  int(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  bytes(count: number): Buffer;
};

/** FNV-1a, 32 bits. */
export const hashText = (text: string, from = 2_166_136_261): number => {
  let hash = from;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  return hash >>> 0;
};

/** Larger than any seed of a fresh history. */
const firstVariant = 1e11;

/** Returns the seed of a history that is like another one, but for the chance of about a third of its users. */
export const nthVariant = (seed: number, number: number): number => (seed % firstVariant) + number * firstVariant;

/** The seed from which a user of a history draws. */
const seedFor = (seed: number, name: string): number =>
  seed >= firstVariant && hashText(`${seed} ${name}`) % 3 !== 0 ? seed % firstVariant : seed;

/** Mulberry32: fast, and good enough to play with. */
export const seedRandom = (seed: number, name: string): Random => {
  let state = hashText(name, (Math.imul(seedFor(seed, name) + 1, 2_654_435_761) ^ 2_166_136_261) >>> 0);
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    int,
    chance: (probability) => probability > 0 && next() < probability,
    pick: (list) => {
      if (list.length === 0) throw new Error('Nothing to pick from');
      return list[int(list.length)] as (typeof list)[number];
    },
    bytes: (count) => {
      const bytes = Buffer.allocUnsafe(count);
      for (let index = 0; index < count; index += 1) bytes[index] = int(256);
      return bytes;
    },
  };
};
