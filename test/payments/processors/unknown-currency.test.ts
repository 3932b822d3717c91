import { describe, expect, it } from 'vitest';
import { adyenCurrency } from '#payments/processors/adyen/adyen-currencies.ts';
import {
  countedAsPaid,
  fromProcessorAmount,
  toProcessorAmount,
  UnknownCurrencyError,
} from '#payments/processors/amounts.ts';
import { braintreeCurrency } from '#payments/processors/braintree/braintree-currencies.ts';
import { nmiCurrency } from '#payments/processors/nmi/nmi-currencies.ts';
import { sandboxCurrency } from '#payments/processors/sandbox/sandbox-currencies.ts';
import { stripeCurrency } from '#payments/processors/stripe/stripe-currencies.ts';
import { readWithKnownCurrency } from '#payments/processors/unknown-currency-client.ts';

describe("an amount in a processor's own units", () => {
  it.each([
    ['USD', 1000n],
    ['JPY', 1000n],
    ['ISK', 10n],
    ['KWD', 1000n],
    ['XCG', 1000n],
    ['BGN', 1000n],
    ['ANG', 1000n],
  ])('is read in %s, also where the currency has ended', (currency, minor) =>
    expect(fromProcessorAmount(1000, currency, stripeCurrency(currency))).toBe(minor),
  );

  it.each(['IRR', 'XYZ', ''])(
    'is never scaled by a guess in %j: it is left out, and an alarm is raised',
    (currency) => {
      const read = () => fromProcessorAmount(1000, currency, stripeCurrency(currency));
      expect(read).toThrow(UnknownCurrencyError);
      expect(readWithKnownCurrency('stripe', read)).toBeUndefined();
      expect(() => readWithKnownCurrency('stripe', () => expect.fail('another error'))).toThrow('another error');
    },
  );
});

describe('the currencies that processors accept', () => {
  const tables = { adyenCurrency, braintreeCurrency, nmiCurrency, sandboxCurrency, stripeCurrency };
  it.each(Object.entries(tables))('%s has none that has ended', (_, table) =>
    expect(['ANG', 'BGN', 'CUC'].map(table)).toEqual([undefined, undefined, undefined]),
  );

  it.each(Object.entries(tables))('%s counts what was paid in one that has ended as ISO 4217 did', (_, table) => {
    for (const currency of ['ANG', 'BGN', 'CUC']) {
      const counted = countedAsPaid(table, currency);
      expect(counted && toProcessorAmount({ minor: 1000n, currency }, counted)).toBe(1000);
    }
    expect(['XYZ', ''].map((currency) => countedAsPaid(table, currency))).toEqual([undefined, undefined]);
  });

  it('have the Caribbean guilder where the vendor lists it, or its successor is assumed', () =>
    expect(
      [adyenCurrency, nmiCurrency, sandboxCurrency, stripeCurrency].map((table) => table('XCG')?.exponent),
    ).toEqual([2, 2, 2, 2]));
});
