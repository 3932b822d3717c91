import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sumMinor } from '#payments/payments/order/cart.ts';
import { allocate } from '#payments/pricing/allocation.ts';

describe('allocating a total', () => {
  it.each([
    ['evenly where it goes up', 9n, [1n, 1n, 1n], [3n, 3n, 3n]],
    ['what is left to the first of equals', 100n, [1n, 1n, 1n], [34n, 33n, 33n]],
    ['what is left to the largest remainder', 100n, [1n, 2n, 4n], [14n, 29n, 57n]],
    ['nothing to what weighs nothing', 5n, [0n, 1n, 0n], [0n, 5n, 0n]],
    ['by heads where nothing weighs anything', 5n, [0n, 0n], [3n, 2n]],
    ['nothing', 0n, [3n, 4n], [0n, 0n]],
    ['nothing to nobody', 0n, [], []],
  ])('gives %s', (_name, total, weights, parts) => expect(allocate(total, weights)).toEqual(parts));

  it.each([
    ['a negative total', -1n, [1n]],
    ['a negative weight', 1n, [2n, -1n]],
    ['a total for nobody', 1n, []],
  ])('refuses %s', (_name, total, weights) => expect(() => allocate(total, weights)).toThrow(RangeError));

  const total = fc.bigInt(0n, 10n ** 15n);
  const weights = fc.array(fc.bigInt(0n, 10n ** 15n), { minLength: 1, maxLength: 40 });

  it('adds up exactly, and no part is a unit or more away from its share', () => {
    fc.assert(
      fc.property(total, weights, (whole, shares) => {
        const parts = allocate(whole, shares);
        expect(sumMinor(parts)).toBe(whole);
        const sum = sumMinor(shares);
        fc.pre(sum > 0n);
        parts.forEach((part, index) => {
          const off = part * sum - whole * (shares[index] ?? 0n);
          expect(off < sum && off > -sum).toBe(true);
        });
      }),
    );
  });

  it('gives more weight no less, and of equal weights the first no less', () => {
    fc.assert(
      fc.property(total, weights, (whole, shares) => {
        const parts = allocate(whole, shares);
        const ranked = shares
          .map((weight, index) => ({ weight, index, part: parts[index] ?? 0n }))
          .toSorted((left, right) =>
            left.weight === right.weight ? left.index - right.index : left.weight > right.weight ? -1 : 1,
          );
        expect(ranked.slice(1).every(({ part }, index) => part <= (ranked[index]?.part ?? 0n))).toBe(true);
      }),
    );
  });
});
