import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { everyDate, makeScale } from '#lib/dashboard/screens/chart-scale.ts';

/** The numbers at the side of a chart. */
it.each([
  [0, [0, 1]],
  [3, [0, 1, 2, 3]],
  [8, [0, 2, 4, 6, 8]],
  [9, [0, 5, 10]],
  [81, [0, 50, 100]],
  [1000, [0, 500, 1000]],
  [123_456, [0, 50_000, 100_000, 150_000]],
])('of at most %i are %j', (most, numbers) => expect(makeScale(most)).toEqual(numbers));

it('reach the most with few steps, each of the same whole number', () =>
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), (most) => {
      const numbers = makeScale(most);
      const [first, step = 0] = numbers;
      expect(first).toBe(0);
      expect(numbers).toEqual(numbers.map((_, n) => n * step));
      expect(Number.isInteger(step)).toBe(true);
      expect(numbers.length).toBeLessThanOrEqual(5);
      expect(numbers.at(-1)).toBeGreaterThanOrEqual(most);
      // The line fills half of the room at least.
      if (most > 0) expect(numbers.at(-1)).toBeLessThanOrEqual(2 * Math.max(1, most));
    }),
  ));

describe('the dates of a chart', () => {
  it('have every day, across a month and a change of the clock', () => {
    expect(everyDate('2026-03-28', '2026-04-01', 'day')).toEqual([
      ...['2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31', '2026-04-01'],
    ]);
  });
  it('have every month once', () => {
    expect(everyDate('2025-12-15', '2026-02-01', 'month')).toEqual(['2025-12', '2026-01', '2026-02']);
  });
  it('are none where the span is empty', () => {
    expect(everyDate('2026-05-02', '2026-05-01', 'day')).toEqual([]);
  });
});
