import { expect, it } from 'vitest';
import { conditionsOf, inCurrency, newComparison, readFlat } from '#lib/dashboard/screens/rule-facts.ts';

it('an amount is compared in the currency that was typed, or in any', () => {
  const inDollars = newComparison('amount');
  expect(inDollars).toMatchObject({ fact: 'amount', params: { currency: 'USD' } });
  expect(inCurrency(inDollars, ' eur ')).toEqual({ ...inDollars, params: { currency: 'EUR' } });
  const { params: _, ...inAny } = inDollars;
  expect(inCurrency(inDollars, '')).toEqual(inAny);
});

it('shows conditions in the builder only if it can write them back', () => {
  const comparisons = [newComparison('amount'), newComparison('descriptor')];
  for (const group of ['all', 'any', 'none'] as const) {
    expect(readFlat(conditionsOf({ group, comparisons }))).toEqual({ group, comparisons });
  }
  // "Not all of" is not "none of": as lines it would become the stricter condition when it is saved.
  for (const nested of [
    { not: { all: comparisons } },
    { not: { not: { any: comparisons } } },
    { all: [{ any: comparisons }] },
  ]) {
    expect(readFlat(nested)).toBeUndefined();
  }
});
