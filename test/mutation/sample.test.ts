import { describe, expect, it } from 'vitest';
import { instrument } from './instrument.ts';
import { sampleTargets, type Target } from './sample.ts';

const toTarget = (file: string, source: string): Target => ({
  file,
  mutants: instrument(source, file).mutants,
  lines: source.split('\n'),
  untried: 0,
});
const limits = Array.from(
  { length: 20 },
  (_, n) => `export const is${n} = (x: number): boolean => x < 3 && x !== ${n};`,
);
const webhooks = toTarget('functions/messaging/webhooks/limits.ts', limits.join('\n'));
const rules = toTarget('functions/disputes/rules/limits.ts', limits.join('\n'));

const sample = (targets: readonly Target[], size: number, isEquivalent = (_file: string) => false): string[] =>
  sampleTargets(targets, size, isEquivalent).flatMap(({ file, mutants }) =>
    mutants.map(({ id, was, becomes }) => `${file}#${id} ${was} ${becomes}`),
  );

describe('a sample of mutants', () => {
  it('has the same number of mutants of each area', () => {
    expect(sample([webhooks], 15)).toHaveLength(15);
    expect(sample([webhooks, rules], 15)).toHaveLength(30);
    expect(sampleTargets([webhooks, rules], 15, () => false).map(({ untried }) => untried)).toEqual(
      [webhooks, rules].map(({ mutants }) => mutants.length - 15),
    );
  });

  it('includes the smaller samples', () => {
    expect(sample([webhooks], 40)).toEqual(expect.arrayContaining(sample([webhooks], 15)));
  });

  it('is drawn from the whole file', () => {
    const lines = sampleTargets([webhooks], 15, () => false).flatMap(({ mutants }) => mutants.map(({ line }) => line));
    expect(Math.min(...lines)).toBeLessThanOrEqual(5);
    expect(Math.max(...lines)).toBeGreaterThan(15);
  });

  it('stays the same when lines are added above', () => {
    const moved = toTarget(webhooks.file, `export const isNew = (): boolean => true;\n\n${limits.join('\n')}`);
    const withoutIds = (list: string[]): string[] => list.map((one) => one.replace(/#\d+/, ''));
    const before = withoutIds(sample([webhooks], 15));
    const after = withoutIds(sample([moved], 15)).filter((one) => !one.endsWith(' true false'));
    expect(after.filter((one) => !before.includes(one))).toEqual([]);
    expect(after.length).toBeGreaterThanOrEqual(14);
  });

  it('does not count equivalent mutants, and keeps them all', () => {
    const other = toTarget('functions/messaging/webhooks/other.ts', limits.join('\n'));
    const kept = sample([webhooks, other], 15, (file) => file === other.file);
    expect(kept.filter((one) => one.startsWith(other.file))).toHaveLength(other.mutants.length);
    expect(kept.filter((one) => one.startsWith(webhooks.file))).toHaveLength(15);
  });
});
