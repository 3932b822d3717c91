import { expect, it } from 'vitest';
import { inCurrency, newComparison } from '#lib/dashboard/screens/rule-facts.ts';

it('an amount is compared in the currency that was typed, or in any', () => {
  const inDollars = newComparison('amount');
  expect(inDollars).toMatchObject({ fact: 'amount', params: { currency: 'USD' } });
  expect(inCurrency(inDollars, ' eur ')).toEqual({ ...inDollars, params: { currency: 'EUR' } });
  const { params: _, ...inAny } = inDollars;
  expect(inCurrency(inDollars, '')).toEqual(inAny);
});
