import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAmount } from '#core/kernel/money/money.ts';
import { cartTotal, maxMinor, readCart } from '#payments/payments/order/cart.ts';

describe('the total of a cart', () => {
  it.each([
    ['one item', { unitAmounts: ['10.00'] }, 'USD', 1000n],
    ['numbers as JSON has them', { unitAmounts: [10.5, 3], quantities: [2, '3'] }, 'USD', 3000n],
    [
      'shipping and tax on top, the coupon off',
      { unitAmounts: ['19.99'], quantities: [3], shipping: '5', tax: 1.2, coupon: '0.17' },
      'EUR',
      6600n,
    ],
    ['a currency without decimals', { unitAmounts: ['500'], quantities: [2] }, 'JPY', 1000n],
    ['a currency with three', { unitAmounts: ['1.234'], quantities: [2], tax: '0.001' }, 'KWD', 2469n],
    ['a free item beside another', { unitAmounts: ['0', '1'] }, 'USD', 100n],
    ['shipping alone', { unitAmounts: ['0'], shipping: '4.99' }, 'USD', 499n],
    ['the most there can be', { unitAmounts: ['9999999999999.99'] }, 'USD', maxMinor],
  ])('%s', (_name, input, currency, minor) => expect(cartTotal(input, currency)).toEqual({ minor, currency }));

  it.each(['1e3', '1,000.00', '1.000', '-1', '+1', ' 1', '', '0x10', 'NaN', '١', 1e21, 1e-7, -0.5, 0.125])(
    'refuses %j as an amount, wherever it stands',
    (wrong) => {
      const problems = cartTotal({ unitAmounts: ['1', wrong], shipping: wrong, tax: wrong, coupon: wrong }, 'USD');
      expect((problems as string[]).map((problem) => problem.split(':')[0])).toEqual([
        'item_amount_unit.1',
        'amount_shipping',
        'amount_tax',
        'amount_coupon',
      ]);
    },
  );

  it.each([0, -1, 1.5, 10_001, '1e1', '01', '', '100000'])('refuses %j as a quantity', (wrong) => {
    expect(cartTotal({ unitAmounts: ['1', '2'], quantities: [1, wrong] }, 'USD')).toEqual([
      'item_quantity.1: must be a whole number from 1 to 10000',
    ]);
  });

  it.each([
    ['no item', { unitAmounts: [] }, 'item_amount_unit: must have at least one item'],
    ['too many', { unitAmounts: Array(501).fill('1') }, 'item_amount_unit: must have at most 500 items'],
    [
      'lists of different length',
      { unitAmounts: ['1', '2'], quantities: [1] },
      'item_quantity: must have as many entries as item_amount_unit (2), or be absent for one of each',
    ],
    [
      'a coupon above the rest',
      { unitAmounts: ['1'], coupon: '1.01' },
      'amount_coupon: must not be above the items, shipping and tax together',
    ],
    ['nothing to pay', { unitAmounts: ['1'], coupon: '1' }, 'amount: must be above 0'],
    ['nothing at all', { unitAmounts: ['0'] }, 'amount: must be above 0'],
    [
      'a total of 16 digits',
      { unitAmounts: ['9999999999999.99'], quantities: [2] },
      'amount: comes to more than 15 digits',
    ],
    ['an amount of 16', { unitAmounts: ['10000000000000'] }, 'item_amount_unit.0: comes to more than 15 digits'],
  ])('refuses %s', (_name, input, problem) => expect(cartTotal(input, 'USD')).toEqual([problem]));

  it.each(['', 'usd', 'XYZ', '__proto__'])('refuses %j as a currency', (currency) => {
    expect(cartTotal({ unitAmounts: ['1'] }, currency)).toEqual([
      'currency: must be a currency code of ISO 4217, such as USD',
    ]);
  });

  it('says what is wrong in the words of the call', () => {
    const names = {
      items: 'cart',
      quantity: (index: number) => `cart.${index}.quantity`,
      unit: (index: number) => `cart.${index}.amount_unit`,
      total: 'amount_purchase',
    };
    expect(readCart({ unitAmounts: ['x'], quantities: ['y'] }, 'USD', names)).toEqual([
      'cart.0.quantity: must be a whole number from 1 to 10000',
      'cart.0.amount_unit: must be a decimal such as 10.50, without separators, sign or exponent',
    ]);
  });

  it('adds up whatever is sent', () => {
    const minor = fc.bigInt(0n, 10n ** 7n);
    const item = fc.record({ unit: minor, quantity: fc.integer({ min: 1, max: 10_000 }) });
    const sent = fc.record({
      items: fc.array(item, { minLength: 1, maxLength: 20 }),
      shipping: fc.bigInt(1n, 10n ** 7n),
      tax: minor,
      currency: fc.constantFrom('USD', 'JPY', 'KWD', 'CLF'),
    });
    fc.assert(
      fc.property(sent, ({ items, shipping, tax, currency }) => {
        const written = (value: bigint) => formatAmount({ minor: value, currency });
        const total = cartTotal(
          {
            quantities: items.map(({ quantity }) => quantity),
            unitAmounts: items.map(({ unit }) => written(unit)),
            shipping: written(shipping),
            tax: written(tax),
          },
          currency,
        );
        const sum = items.reduce((before, { unit, quantity }) => before + unit * BigInt(quantity), shipping + tax);
        expect(total).toEqual({ minor: sum, currency });
      }),
    );
  });
});
