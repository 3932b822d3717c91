import { sumMinor } from '#payments/payments/order/cart.ts';

/**
 * Splits a total by weights so that the parts add up to it exactly (largest remainder): each gets its share rounded down, and
 * the rest goes, one minor unit each, to those that lost most by rounding, the first ones among equals. If all weights are
 * zero, they count as equal. Throws RangeError for negative numbers, and for a total without any weights.
 */
export const allocate = (total: bigint, weights: readonly bigint[]): bigint[] => {
  if (total < 0n || weights.some((weight) => weight < 0n))
    throw new RangeError('Only what is positive can be allocated');
  if (weights.length === 0 && total > 0n) throw new RangeError('There is nothing to allocate to');
  const sum = sumMinor(weights);
  if (sum === 0n && weights.length > 0) {
    return allocate(
      total,
      weights.map(() => 1n),
    );
  }
  const shares = weights.map((weight, index) => {
    const numerator = total * weight;
    return { index, part: numerator / sum, remainder: numerator % sum };
  });
  const left = Number(total - sumMinor(shares.map(({ part }) => part)));
  const favoured = new Set(
    shares
      .toSorted((one, other) => compare(other.remainder, one.remainder) || one.index - other.index)
      .slice(0, left)
      .map(({ index }) => index),
  );
  return shares.map(({ index, part }) => (favoured.has(index) ? part + 1n : part));
};

const compare = (left: bigint, right: bigint): number => (left < right ? -1 : left > right ? 1 : 0);
