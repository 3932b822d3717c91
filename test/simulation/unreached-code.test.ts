import { describe, expect, it } from 'vitest';
import { ReachedCode, ReachMeter } from './unreached-code.ts';
import { nthVariant, seedRandom } from './world/random.ts';

describe('the code that histories reach', () => {
  it('is new when a function runs first, and when a part of it does', () => {
    const code = new ReachedCode();
    const ran = (...unreached: [number, number][]) => [{ name: 'core/a.ts:0-90', unreached }];
    expect(code.add(ran([10, 20], [30, 40]))).toEqual(ran([10, 20], [30, 40]));
    expect(code.add(ran([10, 20], [30, 40], [50, 60]))).toEqual([]);
    expect(code.add(ran([15, 35]))).toEqual(ran([15, 20], [30, 35]));
    expect(code.add(ran([10, 40]))).toEqual([]);
    expect(code.add(ran())).toEqual(ran());
    expect(code.add([{ name: 'core/b.ts:0-9', unreached: [] }])).toHaveLength(1);
  });

  it('is measured by function, without what ran before', async () => {
    const meter = new ReachMeter();
    const { exponentOf } = await import('#core/kernel/money/money.ts');
    meter.take();
    exponentOf('JPY');
    const names = meter.take().map(({ name }) => name.replace(/:.*/, ''));
    expect(names).toContain('core/kernel/money/money.ts');
    expect(meter.take().map(({ name }) => name.replace(/:.*/, ''))).not.toContain('core/kernel/money/money.ts');
  });
});

describe('a variant of a history', () => {
  it('keeps the chance of most users, and changes that of the others', () => {
    const names = Array.from({ length: 300 }, (_, index) => `payment ${index}`);
    const kept = names.filter((name) => seedRandom(nthVariant(17, 1), name).next() === seedRandom(17, name).next());
    expect(kept.length).toBeGreaterThan(150);
    expect(kept.length).toBeLessThan(250);
  });

  it('is another one for each number, also as a variant of a variant', () => {
    const drawn = [1, 2, 3].map((number) => seedRandom(nthVariant(17, number), 'history').next());
    expect(new Set([...drawn, seedRandom(17, 'history').next()]).size).toBeGreaterThan(1);
    expect(nthVariant(nthVariant(17, 1), 2)).toBe(nthVariant(17, 2));
  });
});
