import { type Asked, tell } from './history.ts';
import type { Stage } from './setup.ts';

/**
 * The fewest faults by which a history still breaks the same invariant: as many as can be are switched off, in halves first, then
 * one by one. None but these strike in the shorter history.
 */
export const shorten = async (asked: Asked, invariant: string, stage: Stage): Promise<readonly string[]> => {
  const breaks = async (only: readonly string[]): Promise<boolean> => {
    const { violations } = await tell({ ...asked, only: new Set(only) }, stage);
    return violations.some((violation) => violation.invariant === invariant);
  };
  let needed: readonly string[] = (await tell(asked, stage)).struck;
  // Where even all of them together do not bring it about again, there is nothing to take away from.
  if (!(await breaks(needed))) return needed;
  for (let size = needed.length; size >= 1; size = size > 1 ? Math.ceil(size / 2) : 0) {
    for (let from = needed.length - size; from > -size; from -= size) {
      const without = [...needed.slice(0, Math.max(0, from)), ...needed.slice(from + size)];
      if (without.length < needed.length && (await breaks(without))) needed = without;
    }
  }
  return needed;
};
