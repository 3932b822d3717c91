import { readFileSync } from 'node:fs';
import type { InvariantName } from './invariants.ts';
import type { ProfileName } from './profiles.ts';

/**
 * Faults that a change might introduce into the service, each an expression of it that becomes another.
 * `test/simulation/planted.test.ts` checks that the simulation catches each.
 */
export type Planted = {
  name: string;
  file: string;
  /** An expression that the file contains once. */
  is: string;
  becomes: string;
  /** Further expressions of the same file that change with it. */
  also?: readonly { is: string; becomes: string }[];
  /** Where it shows soonest. */
  profile: ProfileName;
  /** The seed from which on it is looked for among the first 300: where it was found last. */
  seed: number;
  /** The invariant that it breaks. */
  breaks: InvariantName;
};

export const planted: readonly Planted[] = JSON.parse(readFileSync(new URL('planted.json', import.meta.url), 'utf8'));
