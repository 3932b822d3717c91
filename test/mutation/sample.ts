import { createHash } from 'node:crypto';
import { findArea } from './areas.ts';
import type { Mutant } from './instrument.ts';

/** The mutants of a file to try. `lines`: its source; `untried`: how many others it has. */
export type Target = { file: string; mutants: Mutant[]; lines: string[]; untried: number };

/** The lowest digests are as good as drawn by lot, and those of a small sample are also the lowest of a larger one. */
const sampleHash = (file: string, { was, becomes }: Mutant, occurrence: number): string =>
  createHash('sha256')
    .update(JSON.stringify([file, was, becomes, occurrence]))
    .digest('hex');

/**
 * Returns the targets with at most so many mutants of each area that can be killed, and with all that are `equivalent`, because these are not
 * tried. The choice does not depend on line numbers, so a change to a file leaves most of a sample as it was.
 */
export const sampleTargets = (
  targets: readonly Target[],
  size: number,
  isEquivalent: (file: string, mutant: Mutant, line: string) => boolean,
): Target[] => {
  const areas = new Map<string, { mutant: Mutant; digest: string }[]>();
  for (const { file, mutants, lines } of targets) {
    const { name } = findArea(file);
    const area = areas.get(name) ?? [];
    areas.set(name, area);
    const occurrences = new Map<string, number>();
    for (const mutant of mutants) {
      const key = `${mutant.was}\n${mutant.becomes}`;
      const occurrence = occurrences.get(key) ?? 0;
      occurrences.set(key, occurrence + 1);
      if (!isEquivalent(file, mutant, lines[mutant.line - 1] ?? ''))
        area.push({ mutant, digest: sampleHash(file, mutant, occurrence) });
    }
  }
  const left = new Set<Mutant>();
  for (const area of areas.values())
    for (const { mutant } of area.toSorted((one, other) => (one.digest < other.digest ? -1 : 1)).slice(size))
      left.add(mutant);
  return targets.map((target) => {
    const mutants = target.mutants.filter((mutant) => !left.has(mutant));
    return { ...target, mutants, untried: target.mutants.length - mutants.length };
  });
};
