import { expect, it } from 'vitest';
import { knownRates } from '#disputes/matching/known-rates-store.ts';
import { setRate } from '#payments/pricing/rates/rate-store.ts';
import { useTable } from '#test/support/table.ts';

useTable();

it('knows the rates from the currency of an alert to those of its charges, as far as they are set', async () => {
  await setRate({ from: 'EUR', to: 'USD', rate: '1.08', source: 'ECB' }, 'admin');
  await setRate({ from: 'GBP', to: 'USD', rate: '1.25', source: 'ECB' }, 'admin');
  const rateOf = await knownRates('EUR', ['USD', 'JPY', 'EUR', 'USD']);
  expect(rateOf('EUR', 'USD')).toBe(1.08);
  expect(rateOf('EUR', 'JPY')).toBeUndefined();
  expect(rateOf('GBP', 'USD')).toBeUndefined();
});

it('knows no rates if all charges are in the currency of the alert, or the alert states none', async () => {
  expect((await knownRates('USD', ['USD']))('USD', 'USD')).toBeUndefined();
  expect((await knownRates('', ['USD']))('', 'USD')).toBeUndefined();
});
