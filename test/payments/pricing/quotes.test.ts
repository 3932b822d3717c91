import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { schemes } from '#core/kernel/card/schemes.ts';
import { setClock } from '#core/kernel/clock.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import { type Cart, cartTotal, readCart, sumMinor } from '#payments/payments/order/cart.ts';
import { binOption } from '#payments/pricing/options/bin-option.ts';
import type { RawMethod } from '#payments/pricing/options/raw-methods.ts';
import { convertedCart, type QuotedMethod, quote } from '#payments/pricing/quote.ts';
import { convertToSite } from '#payments/pricing/rates/conversion-store.ts';
import { sandboxRoute } from '#payments/processors/routing/routing.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { aRoute, type PayingSite, seedPayingSite, seedRoutes, toReply } from './seed.ts';

useOperations();
const start = Date.parse('2026-05-02T10:00:00Z');
let minutes = 0;
beforeEach(() => {
  minutes += 1;
  setClock(() => start + minutes * 60_000);
  process.env['ALLOW_SANDBOX'] = 'true';
});
afterEach(() => setClock());

const cart = [
  { item_desc: 'Tea, 250 g', item_no: 'T-250', amount_unit: '9.99', quantity: '2', name: 'Tea' },
  { item_desc: 'A spoon', amount_unit: '0.01', quantity: 1 },
];
const quoteBody = ({ sid, rcode }: PayingSite, change: Record<string, unknown> = {}) => ({
  sid: String(sid),
  rcode,
  currency_code: '840',
  country: 'US',
  amount_purchase: '25.48',
  amount_shipping: '4.99',
  amount_coupon: '0.00',
  amount_tax: '0.50',
  fxrate_posted: '1',
  summary: [],
  items: ['whatever'],
  cart,
  ...change,
});
const asked = (seeded: PayingSite, change: Record<string, unknown> = {}) =>
  ask('pricing/fee-quote', { body: quoteBody(seeded, change) });
const askMethods = async (seeded: PayingSite, change: Record<string, unknown> = {}) => {
  const { status, body } = toReply(await asked(seeded, change));
  expect({ status, said: body['status'], error: body['error_msg'] }).toEqual({ status: 200, said: 'OK' });
  return body['paymentmethods'] as QuotedMethod[];
};
const giveFees = async ({ sid }: PayingSite, fees: unknown[]) =>
  expect(await ask('pricing/set-fees', { params: { sid }, body: { fees } })).toMatchObject({ status: 200 });
const giveRate = async (from: string, to: string, rate: string) =>
  expect(await ask('pricing/set-rate', { body: { from, to, rate, source: 'ECB' } })).toMatchObject({ status: 200 });

describe('the quote of a cart', () => {
  it('has it as it is where it is in the site’s currency', async () => {
    const methods = await askMethods(await seedPayingSite());
    expect(methods.map(({ paymethod }) => paymethod)).toEqual([...schemes]);
    expect(methods[0]).toMatchObject({
      paymethod: 'VISA',
      currency: 'USD',
      currency_code: '840',
      fxrate: '1',
      amount_purchase: 25.48,
      amount_shipping: 4.99,
      amount_coupon: 0,
      amount_tax: 0.5,
      amount_fee: 0,
      amount_total: 25.48,
      cart: [
        { item_desc: 'Tea, 250 g', item_no: 'T-250', name: 'Tea', quantity: 2, amount_unit: 9.99, amount: 19.98 },
        {
          item_desc: 'A spoon',
          item_no: null,
          name: null,
          quantity: 1,
          amount_unit: 0.01,
          amount: 0.01,
          amount_fee: 0,
        },
      ],
    });
  });

  it('adds the fee of each method where it is asked for, and gives each item its part', async () => {
    const seeded = await seedPayingSite();
    await giveFees(seeded, [
      { paymethod: 'VISA', percentage: '2.9', fixed: '0.30', currency: 'USD' },
      { paymethod: 'AMEX', percentage: '1' },
    ]);
    const methods = await askMethods(seeded, { addfee: true });
    const of = (name: string) => methods.find(({ paymethod }) => paymethod === name);
    expect(of('VISA')).toMatchObject({ amount_purchase: 25.48, amount_fee: 1.04, amount_total: 26.52 });
    expect(of('VISA')?.cart.map(({ amount_fee }) => amount_fee)).toEqual([1.04, 0]);
    expect(of('AMEX')).toMatchObject({ amount_fee: 0.25, amount_total: 25.73 });
    expect(of('JCB')).toMatchObject({ amount_fee: 0, amount_total: 25.48 });
    expect((await askMethods(seeded))[0]).toMatchObject({ amount_fee: 0 });
  });

  it('is in the site’s currency, at its own rate with the margin on top', async () => {
    const seeded = await seedPayingSite({ payment: { margin_percentage: '2.5' } }, { margin_percentage: 50 });
    await giveRate('GBP', 'USD', '1.25');
    const [visa] = await askMethods(seeded, { currency_code: '826', fxrate_posted: '1.28' });
    expect(visa).toMatchObject({ currency: 'USD', fxrate: '1.28125', amount_purchase: 32.65, amount_total: 32.65 });
    const { amount_shipping = 0, amount_tax = 0, cart: items = [] } = visa ?? {};
    const cents = [amount_shipping, amount_tax, ...items.map(({ amount }) => amount)].map((one) =>
      Math.round(one * 100),
    );
    expect(cents.reduce((sum, one) => sum + one, 0)).toBe(3265);
  });

  it('uses the retailer’s margin if the site has none', async () => {
    const seeded = await seedPayingSite({}, { margin_percentage: 4 });
    await giveRate('GBP', 'USD', '1.25');
    const [visa] = await askMethods(seeded, { currency_code: 826, fxrate_posted: 1.3 });
    expect(visa).toMatchObject({ fxrate: '1.3' });
  });

  it('is in the currency of the cart where the site has none', async () => {
    const seeded = await seedPayingSite({ profile: {} });
    const [visa] = await askMethods(seeded, { currency_code: '978' });
    expect(visa).toMatchObject({ currency: 'EUR', fxrate: '1', amount_purchase: 25.48 });
  });

  it('leaves out methods that no route takes for the total, fee included', async () => {
    const seeded = await seedPayingSite();
    await seedRoutes(seeded.sid, [aRoute({ schemes: ['VISA', 'AMEX'], max: '25.48' })]);
    await giveFees(seeded, [{ paymethod: 'AMEX', fixed: '0.01', currency: 'USD' }]);
    const names = (methods: QuotedMethod[]) => methods.map(({ paymethod }) => paymethod);
    expect(names(await askMethods(seeded))).toEqual(['VISA', 'AMEX']);
    expect(names(await askMethods(seeded, { addfee: 1 }))).toEqual(['VISA']);
  });

  it('is given for a form too, its cart as numbered entries', async () => {
    const seeded = await seedPayingSite();
    const { summary: _summary, items: _items, cart: _cart, ...plain } = quoteBody(seeded);
    const body = new URLSearchParams({ ...plain, addfee: 'false' });
    body.append('summary[]', 'x');
    body.append('items[]', 'x');
    for (const [index, entry] of [...cart.entries()].toReversed()) {
      for (const [name, value] of Object.entries(entry)) body.append(`cart[${index}][${name}]`, String(value));
    }
    const { status, body: reply } = toReply(await ask('pricing/fee-quote', { body }));
    expect(status).toBe(200);
    const [visa] = reply['paymentmethods'] as QuotedMethod[];
    expect(visa?.cart).toMatchObject([
      { item_no: 'T-250', amount: 19.98 },
      { item_no: null, amount: 0.01 },
    ]);
  });

  it('has no method in a currency that no processor of the site takes', async () => {
    const seeded = await seedPayingSite({ profile: { currency: 'CUP' } });
    await seedRoutes(seeded.sid, [aRoute({ processor: 'stripe' })]);
    const change = { currency_code: '192' };
    expect(await askMethods(seeded, change)).toEqual([]);
    const { sid, rcode } = seeded;
    const raw = toReply(await ask('pricing/raw-fees', { body: { sid, rcode, currency: '192', country: 'US' } }));
    expect(raw).toMatchObject({ status: 200, body: { paymentmethods: [] } });
    await seedRoutes(sid, [aRoute({ processor: 'stripe' }), aRoute({ id: 'r2', processor: 'adyen' })]);
    expect(await askMethods(seeded, change)).toHaveLength(schemes.length);
  });

  it('takes a cart whose places are names', async () => {
    const [first, second] = cart;
    const [visa] = await askMethods(await seedPayingSite(), { cart: { 0: first, 1: second } });
    expect(visa?.cart).toHaveLength(2);
  });

  it('takes an empty summary and no items, as forms send them', async () => {
    const { status } = toReply(await asked(await seedPayingSite(), { summary: '', items: undefined }));
    expect(status).toBe(200);
  });

  it.each([
    [{ fxrate_posted: '1.0100001' }, "fxrate_posted: must be from 0.99 to 1.01, as the service's rate is 1"],
    [{ fxrate_posted: '0.98' }, "fxrate_posted: must be from 0.99 to 1.01, as the service's rate is 1"],
    [{ fxrate_posted: '1,0' }, 'fxrate_posted: must be a decimal such as 0.92'],
    [{ amount_purchase: '25.47' }, 'amount_purchase: must be 25.48, the items, shipping and tax less the coupon'],
    [{ amount_coupon: '30.00' }, 'amount_coupon: must not be above the items, shipping and tax together'],
    [{ currency_code: 'USD' }, 'currency_code: must be a currency by its three digits of ISO 4217, such as 840'],
    [{ currency_code: '999999' }, 'currency_code: must be a currency by its three digits of ISO 4217, such as 840'],
    [{ country: 'USA' }, 'country: must be a country code of ISO 3166, two letters'],
    [{ cart: [] }, 'cart: must have at least one item'],
    [{ cart: { first: cart[0] } }, 'cart: must be a list of items'],
    [{ cart: [{ ...cart[0], amount_unit: '9,99' }] }, 'cart.0.amount_unit: must be a decimal'],
    [{ cart: [cart[1], { ...cart[0], quantity: '0' }] }, 'cart.1.quantity: must be a whole number from 1 to 10000'],
    [{ amount_tax: undefined }, 'amount_tax: '],
  ])('is refused with %j', async (change, words) => {
    const { status, body } = toReply(await asked(await seedPayingSite(), change));
    expect({ status, code: body['error_code'] }).toEqual({ status: 400, code: 'request_invalid' });
    expect(String(body['error_msg'])).toContain(words);
  });

  it('is refused where the rate makes nothing or too much of it', async () => {
    const seeded = await seedPayingSite();
    await giveRate('GBP', 'USD', '0.00000001');
    const poor = await asked(seeded, { currency_code: '826', fxrate_posted: '0.00000001' });
    expect(poor.body).toMatchObject({ error_msg: 'amount_purchase: comes to nothing in USD' });
    minutes += 1;
    await giveRate('GBP', 'USD', '999999999999');
    const rich = await asked(seeded, { currency_code: '826', fxrate_posted: '999999999999' });
    expect(rich.body).toMatchObject({ error_msg: 'amount_purchase: comes to more than 15 digits in USD' });
  });

  it('is declared as it behaves', async () => {
    const [seeded, strange] = [await seedPayingSite(), await seedPayingSite({ type: '3ds' })];
    expect(await asked({ ...seeded, rcode: strange.rcode })).toMatchObject({
      status: 401,
      body: { error_code: 'rcode_wrong' },
    });
    expect(await asked(strange)).toMatchObject({ status: 409, body: { error_code: 'site_not_for_payments' } });
    expect(
      await asked(seeded, {
        currency_code: '392',
        amount_shipping: '5',
        amount_tax: '0',
        amount_coupon: '0',
        amount_purchase: '6',
        cart: [{ ...cart[0], amount_unit: '1', quantity: 1 }],
      }),
    ).toMatchObject({
      status: 409,
      body: { error_code: 'rate_missing', error_msg: 'There is no exchange rate from JPY to USD.' },
    });
    expectDeclared('pricing/fee-quote');
  });
});

describe('a cart in another currency', () => {
  const minor = fc.bigInt(0n, 10n ** 8n);
  const sent = fc.record({
    items: fc.array(fc.record({ unit: minor, quantity: fc.integer({ min: 1, max: 10_000 }) }), {
      minLength: 1,
      maxLength: 8,
    }),
    shipping: fc.bigInt(1n, 10n ** 6n),
    tax: minor,
    share: fc.integer({ min: 0, max: 99 }),
    from: fc.constantFrom('USD', 'JPY', 'KWD'),
    to: fc.constantFrom('EUR', 'KRW', 'BHD'),
    rate: fc.constantFrom('0.92', '1', '0.00731', '31.4159', '0.33333333'),
    percentage: fc.constantFrom('0', '2.9', '0.0001', '100'),
  });
  const cartOf = ({
    items,
    shipping,
    tax,
    share,
    from,
  }: typeof sent extends fc.Arbitrary<infer T> ? T : never): Cart => {
    const text = (value: bigint) => formatAmount({ minor: value, currency: from });
    const gross = items.reduce((sum, { unit, quantity }) => sum + unit * BigInt(quantity), shipping + tax);
    const read = readCart(
      {
        quantities: items.map(({ quantity }) => quantity),
        unitAmounts: items.map(({ unit }) => text(unit)),
        shipping: text(shipping),
        tax: text(tax),
        coupon: text((gross * BigInt(share)) / 100n),
      },
      from,
    );
    return Array.isArray(read) ? expect.fail(read.join()) : read;
  };

  it('adds up to its converted total, whatever is rounded', () => {
    fc.assert(
      fc.property(sent, (input) => {
        const { lines, shipping, tax, coupon, total } = convertedCart(cartOf(input), input.to, input.rate);
        expect(sumMinor(lines) + shipping + tax - coupon).toBe(total);
      }),
    );
  });

  it('can be paid as it is quoted: each item once, at its amount and its part of the fee', () => {
    fc.assert(
      fc.property(sent, (input) => {
        const methods = quote({
          cart: cartOf(input),
          items: input.items.map(() => ({ item_desc: 'An item' })),
          chargedCurrency: input.to,
          rate: input.rate,
          addFee: true,
          fees: [{ paymethod: 'VISA', percentage: input.percentage, fixed: '0', currency: null }],
          routes: [sandboxRoute],
        });
        const visa = typeof methods === 'string' ? undefined : methods[0];
        // Some come to nothing, or to more than can be paid.
        if (typeof visa !== 'object') return fc.pre(false);
        const decimals = (one: number) => ({ EUR: one.toFixed(2), KRW: one.toFixed(0), BHD: one.toFixed(3) })[input.to];
        const total = cartTotal(
          {
            unitAmounts: visa.cart.flatMap(({ amount, amount_fee }) => [
              decimals(amount) ?? '',
              decimals(amount_fee) ?? '',
            ]),
            shipping: visa.amount_shipping,
            tax: visa.amount_tax,
            coupon: visa.amount_coupon,
          },
          input.to,
        );
        expect(total).toMatchObject({ currency: input.to });
        if (Array.isArray(total)) return expect.fail(total.join());
        expect(formatAmount(total)).toBe(decimals(visa.amount_total));
      }),
    );
  });
});

describe('a quote near the most that can be paid', () => {
  const nearly = (coupon: string, amount: string) => {
    const read = readCart({ unitAmounts: [amount], coupon }, 'USD');
    return quote({
      cart: Array.isArray(read) ? expect.fail(read.join()) : read,
      items: [{ item_desc: 'An item' }],
      chargedCurrency: 'EUR',
      rate: '2',
      addFee: true,
      fees: [{ paymethod: 'VISA', percentage: '0.0001', fixed: '0', currency: null }],
      routes: [sandboxRoute],
    });
  };

  it('is refused where the items come to too much before the coupon', () => {
    expect(nearly('4999999999999.99', '5000000000000.00')).toBe('amount_purchase: comes to more than 15 digits in EUR');
  });

  it('is made for 15 digits, as is the option of a single card', () => {
    const cart = readCart({ unitAmounts: ['9999999999999.99'], coupon: '0.01' }, 'EUR');
    if (Array.isArray(cart)) return expect.fail(cart.join());
    const offer = { routes: [sandboxRoute], fees: [], addFee: false };
    expect(
      quote({ ...offer, cart, items: [{ item_desc: 'An item' }], chargedCurrency: 'EUR', rate: '1' }),
    ).toHaveLength(7);
    expect(binOption('424242', cart, offer)).toMatchObject({ paymethod: 'VISA' });
    const fee = { paymethod: 'VISA', percentage: '0', fixed: '0.01', currency: 'EUR' } as const;
    expect(binOption('424242', cart, { ...offer, fees: [fee], addFee: true })).toBeUndefined();
  });

  it('leaves out the method whose fee makes it too much', () => {
    const methods = nearly('4999999000000.00', '4999999999999.99');
    expect(methods).toHaveLength(6);
    expect(methods).not.toContainEqual(expect.objectContaining({ paymethod: 'VISA' }));
  });
});

describe('the list of methods and their fields', () => {
  const listed = async ({ sid, rcode }: PayingSite, change: Record<string, unknown> = {}) => {
    const body = { sid, rcode, currency: '840', country: 'US', ...change };
    const answer = toReply(await ask('pricing/raw-fees', { body }));
    expect(answer).toMatchObject({ status: 200, body: { status: 'OK' } });
    return answer.body['paymentmethods'] as RawMethod[];
  };
  const required = (method: RawMethod | undefined) =>
    method?.fields.filter((field) => field.required).map(({ name }) => name) ?? [];

  it('has fee, rate and operation of each', async () => {
    const seeded = await seedPayingSite();
    await giveFees(seeded, [{ paymethod: 'VISA', percentage: '2.9', fixed: '0.30', currency: 'USD' }]);
    const [visa, mastercard] = await listed(seeded);
    expect(visa).toMatchObject({
      paymethod: 'VISA',
      fxrate: '1',
      operation: 'singletx',
      fee: { percentage: '2.9', fixed: '0.30' },
    });
    expect(mastercard).toMatchObject({ fee: null });
    expect(visa?.fields).toContainEqual({ name: 'threeDSecure', required: false });
    expect(required(visa)).toEqual(expect.arrayContaining(['hash', 'card_no', 'card_ccv', 'postback_url']));
  });

  it('says what to post as the rate, and that the amount is converted', async () => {
    const seeded = await seedPayingSite({ payment: { margin_percentage: '10', skip_ccv: 1 } });
    await giveRate('CHF', 'USD', '1.1');
    const [visa] = await listed(seeded, { currency: '756' });
    expect(visa).toMatchObject({ currency: 'USD', fxrate: '1.21', operation: 'convertnpay' });
    expect(visa?.fields.map(({ name }) => name)).not.toContain('threeDSecure');
    expect(required(visa)).not.toContain('card_ccv');
  });

  it('has only what the routes take', async () => {
    const seeded = await seedPayingSite();
    await seedRoutes(seeded.sid, [aRoute({ schemes: ['JCB'] })]);
    expect((await listed(seeded)).map(({ paymethod }) => paymethod)).toEqual(['JCB']);
  });

  it('is declared as it behaves', async () => {
    const [{ sid, rcode }, strange] = [await seedPayingSite(), await seedPayingSite({ type: 'alert' })];
    const asking = (change: Record<string, unknown>) =>
      ask('pricing/raw-fees', { body: { sid, rcode, currency: '840', country: 'US', ...change } });
    expect(await asking({ rcode: 'wrong' })).toMatchObject({ status: 401 });
    expect(await asking({ sid: strange.sid, rcode: strange.rcode })).toMatchObject({ status: 409 });
    expect(await asking({ currency: '036' })).toMatchObject({ status: 409, body: { error_code: 'rate_missing' } });
    expectDeclared('pricing/raw-fees');
  });
});

describe('a payment in the currency of its site', () => {
  it('is converted at the rate in force with the margin, and told how', async () => {
    const { site } = await seedPayingSite({ payment: { margin_percentage: '2' } });
    await giveRate('GBP', 'USD', '1.5');
    expect(await convertToSite({ minor: 1000n, currency: 'GBP' }, site)).toMatchObject({
      charged: { minor: 1530n, currency: 'USD' },
      conversion: { original: { minor: '1000', currency: 'GBP' }, rate: '1.53', margin: '2', source: 'ECB' },
    });
  });

  it('stays as it is in that currency, and where the site has none', async () => {
    const money = { minor: 1000n, currency: 'GBP' };
    for (const profile of [{ currency: 'GBP' }, {}]) {
      const { site } = await seedPayingSite({ profile });
      expect(await convertToSite(money, site)).toEqual({ charged: money, conversion: null });
    }
  });

  it('is refused without a rate, and if the converted amount is zero', async () => {
    const { site } = await seedPayingSite();
    await expect(convertToSite({ minor: 1n, currency: 'KRW' }, site)).rejects.toMatchObject({ code: 'rate_missing' });
    await giveRate('KRW', 'USD', '0.001');
    await expect(convertToSite({ minor: 1n, currency: 'KRW' }, site)).rejects.toMatchObject({
      code: 'request_invalid',
      details: 'amount: rounds to nothing in USD.',
    });
  });
});
