import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rotateSecret } from '#accounts/merchants/site/site.ts';
import { toSiteItem } from '#accounts/merchants/site/site-row.ts';
import { freshRcode } from '#accounts/merchants/site/site-secrets.ts';
import { setClock } from '#core/kernel/clock.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { putItem } from '#core/platform/table/table.ts';
import { toBinsItem } from '#payments/fraud/bins/bins-row.ts';
import type { PaymentOption } from '#payments/pricing/options/options.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { aRoute, md5, type PayingSite, seedPayingSite, seedRoutes, toReply } from './seed.ts';

useOperations();
const start = Date.parse('2026-05-02T10:00:00Z');
beforeEach(() => {
  setClock(() => start);
  process.env['ALLOW_SANDBOX'] = 'true';
});
afterEach(() => setClock());

const askOptions = async ({ sid, rcode }: PayingSite, body: Record<string, unknown> = {}) => {
  const answer = await ask('pricing/payment-options', { params: { id: sid }, body: { rcode, ...body } });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as PaymentOption[];
};
const names = (options: PaymentOption[]) => options.map(({ paymethod, currency }) => `${paymethod} ${currency}`);

describe('the payment options of a site', () => {
  it('are all schemes in its currency where the sandbox steps in for processors', async () => {
    const options = await askOptions(await seedPayingSite());
    expect(names(options)).toEqual([
      'VISA USD',
      'MASTERCARD USD',
      'AMEX USD',
      'DISCOVER USD',
      'DINERS USD',
      'JCB USD',
      'UNIONPAY USD',
    ]);
    const { image, ...visa } = options[0] ?? expect.fail('no option');
    expect(visa).toEqual({
      paymethod: 'VISA',
      display_title: 'Visa',
      description: 'Pay by Visa card in USD',
      currency_code: '840',
      currency_symbol: '$',
      amount_shipping: 0,
      amount_coupon: 0,
      amount_tax: 0,
      currency: 'USD',
      payout: true,
    });
    expect(decodeURIComponent(image)).toMatch(/^data:image\/svg\+xml,<svg .*>Visa<\/text><\/svg>$/);
  });

  it('are none where nothing takes payments', async () => {
    process.env['ALLOW_SANDBOX'] = 'false';
    expect(await askOptions(await seedPayingSite())).toEqual([]);
  });

  it('are what the routes take: of the site’s currency first, then of those they name', async () => {
    const seeded = await seedPayingSite({ profile: { currency: 'EUR' } });
    await seedRoutes(seeded.sid, [
      aRoute({ schemes: ['AMEX'], currencies: ['USD', 'JPY'] }),
      aRoute({ id: 'r2', schemes: ['VISA'], currencies: null, min: '1000', max: '2000' }),
    ]);
    expect(names(await askOptions(seeded))).toEqual(['VISA EUR', 'VISA USD', 'VISA JPY', 'AMEX USD', 'AMEX JPY']);
    expect(names(await askOptions(seeded, { currency: 'usd', country: 'US' }))).toEqual(['VISA USD', 'AMEX USD']);
    expect(names(await askOptions(seeded, { currency: 'CHF', country: '' }))).toEqual(['VISA CHF']);
  });

  it('say where money can be paid out: at no processor but the sandbox', async () => {
    const seeded = await seedPayingSite();
    await seedRoutes(seeded.sid, [
      aRoute({ processor: 'stripe' }),
      aRoute({ id: 'r2', processor: 'sandbox', schemes: ['AMEX'] }),
    ]);
    const payable = (await askOptions(seeded)).filter((option) => (option as { payout?: boolean }).payout);
    expect(names(payable)).toEqual(['AMEX USD']);
  });

  it('are none in a currency that no processor of the site takes', async () => {
    const seeded = await seedPayingSite({ profile: { currency: 'CUP' } });
    await seedRoutes(seeded.sid, [aRoute({ processor: 'stripe' })]);
    expect(await askOptions(seeded)).toEqual([]);
    await seedRoutes(seeded.sid, [
      aRoute({ processor: 'stripe', currencies: ['CUP', 'AFN'] }),
      aRoute({ id: 'r2', processor: 'adyen', schemes: ['VISA'] }),
    ]);
    const all = ['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER', 'DINERS', 'JCB', 'UNIONPAY'];
    expect(names(await askOptions(seeded))).toEqual(['VISA CUP', ...all.map((scheme) => `${scheme} AFN`)]);
    const sandboxed = await seedPayingSite();
    expect(await askOptions(sandboxed, { currency: 'XAU' })).toEqual([]);
  });

  it('can be asked for with a form, and for a country', async () => {
    const { sid, rcode } = await seedPayingSite();
    const body = new URLSearchParams({ rcode, country: 'de' });
    const answer = await ask('pricing/vendor-payment-options', { params: { id: sid }, body });
    expect(answer).toMatchObject({ status: 200 });
    expect(names(answer.body as PaymentOption[])).toHaveLength(7);
  });

  it('are shown with the sign of their currency, or its code', async () => {
    const seeded = await seedPayingSite();
    const symbols: Record<string, string> = { EUR: '€', JPY: '¥', CAD: 'CA$', CHF: 'CHF', KWD: 'KWD' };
    for (const [currency, symbol] of Object.entries(symbols)) {
      expect((await askOptions(seeded, { currency }))[0]?.currency_symbol.trim()).toBe(symbol);
    }
  });

  it.each([
    [{ country: 'XX' }, 'country: must be a country code of ISO 3166, two letters'],
    [{ currency: 'XYZ' }, 'currency: must be a currency code of ISO 4217, such as USD'],
    [{ rcode: undefined }, 'rcode: '],
  ])('are refused with %j', async (change, words) => {
    const { sid, rcode } = await seedPayingSite();
    const sent = { params: { id: sid }, body: { rcode, ...change } };
    const { status, body } = toReply(await ask('pricing/payment-options', sent));
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: 'EXC', error_code: 'request_invalid' });
    expect(String(body['error_msg'])).toContain(words);
  });

  it.each(['pricing/payment-options', 'pricing/vendor-payment-options'])(
    '%s asks for the rcode, and tells no site from none',
    async (one) => {
      const [{ sid }, other] = [await seedPayingSite(), await seedPayingSite()];
      const wrong = { status: 401, body: { status: 'EXC', error_code: 'rcode_wrong' } };
      const body = { rcode: other.rcode, country: 'US' };
      const mine = await ask(one, { params: { id: sid }, body });
      expect(mine).toMatchObject(wrong);
      expect((await ask(one, { params: { id: 999_999 }, body })).body).toEqual(mine.body);
      expect(JSON.stringify(mine.body)).not.toContain(other.rcode);
    },
  );

  it.each(['pricing/payment-options', 'pricing/vendor-payment-options'])('%s is for payment sites', async (one) => {
    const { sid, rcode } = await seedPayingSite({ type: 'alert' });
    expect(await ask(one, { params: { id: sid }, body: { rcode, country: 'US' } })).toMatchObject({
      status: 409,
      body: { error_code: 'site_not_for_payments' },
    });
  });

  it('may be asked for with the rcode before for a day after a rotation', async () => {
    const { site, sid, rcode } = await seedPayingSite();
    const fresh = freshRcode(await keyRing('encryption'), sid);
    const rcodes = rotateSecret(site.rcodes, fresh.kept, '2026-05-02T10:00:00.000Z');
    await putItem(toSiteItem({ ...site, rcodes }));
    expect(await askOptions({ site, sid, rcode: fresh.text })).toHaveLength(7);
    setClock(() => start + 86_399_999);
    expect(await askOptions({ site, sid, rcode })).toHaveLength(7);
    setClock(() => start + 86_400_000);
    expect(await ask('pricing/payment-options', { params: { id: sid }, body: { rcode } })).toMatchObject({
      status: 401,
    });
  });

  it('are declared as they behave', () =>
    ['pricing/payment-options', 'pricing/vendor-payment-options'].forEach(expectDeclared));
});

const timestamp = String(start / 1000);
const binOrder = (change: Record<string, unknown> = {}) => ({
  timestamp,
  BIN: '424242',
  item_quantity: [2],
  item_name: ['Tea'],
  item_amount_unit: ['5.00'],
  amount_shipping: '1',
  amount_coupon: 0.5,
  amount_tax: '0.25',
  currency: 'USD',
  ...change,
});
const byBin = ({ sid, rcode }: PayingSite, change: Record<string, unknown> = {}, signed = `${timestamp}10.75USD`) =>
  ask('pricing/bin-payment-options', {
    params: { id: sid },
    body: { ...binOrder(change), hash: md5(`${sid}${signed}${rcode}`) },
  });

describe('the payment option of a card', () => {
  it('is that of its scheme, with the amounts that were sent', async () => {
    const answer = await byBin(await seedPayingSite());
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual([
      expect.objectContaining({
        paymethod: 'VISA',
        currency: 'USD',
        amount_shipping: 1,
        amount_coupon: 0.5,
        amount_tax: 0.25,
      }),
    ]);
    expect(answer.body).not.toHaveProperty('0.amount_fee');
  });

  it.each([
    ['555555', 'MASTERCARD'],
    ['378282', 'AMEX'],
    [601111, 'DISCOVER'],
    ['305693', 'DINERS'],
    ['353011', 'JCB'],
    ['620000', 'UNIONPAY'],
  ])('knows %s for %s', async (BIN, paymethod) => {
    expect((await byBin(await seedPayingSite(), { BIN })).body).toMatchObject([{ paymethod }]);
  });

  it('has the fee where it is asked for', async () => {
    const seeded = await seedPayingSite();
    const fees = [{ paymethod: 'VISA', percentage: '2', fixed: '0.30', currency: 'USD' }];
    expect(await ask('pricing/set-fees', { params: { sid: seeded.sid }, body: { fees } })).toMatchObject({
      status: 200,
    });
    expect((await byBin(seeded, { addFee: true })).body).toMatchObject([{ amount_fee: 0.52, amount_total: 11.27 }]);
    expect((await byBin(seeded, { addFee: false })).body).not.toHaveProperty('0.amount_fee');
  });

  it('is found with a form, whose lists are named with brackets', async () => {
    const { sid, rcode } = await seedPayingSite();
    const hash = md5(`${sid}${timestamp}13.00USD${rcode}`);
    const body = new URLSearchParams({ hash, timestamp, BIN: '424242', currency: 'USD' });
    for (const [name, amount] of [
      ['Tea', '5.00'],
      ['Coffee', '8'],
    ] as const) {
      body.append('item_name[]', name);
      body.append('item_amount_unit[]', amount);
    }
    expect(await ask('pricing/bin-payment-options', { params: { id: sid }, body })).toMatchObject({ status: 200 });
    body.append('item_description[]', 'x'.repeat(20_000));
    expect(await ask('pricing/bin-payment-options', { params: { id: sid }, body })).toMatchObject({ status: 200 });
  });

  it('is in the site’s own currency where none is named', async () => {
    const answer = await byBin(await seedPayingSite(), { currency: undefined });
    expect(answer.body).toMatchObject([{ currency: 'USD' }]);
    const homeless = await byBin(await seedPayingSite({ profile: {} }), { currency: undefined });
    expect(homeless.body).toMatchObject({ error_msg: 'currency: is required, as the site has none of its own' });
  });

  describe('with bin_currency', () => {
    beforeEach(async () => {
      await putItem(toBinsItem('457173', [{ from: '45717300', to: '45717399', country: 'DE' }]));
      await putItem(toBinsItem('457174', [{ from: '45717400', to: '45717499', country: 'JP' }]));
      const body = { from: 'USD', to: 'EUR', rate: '0.90', source: 'a test' };
      // The same rate of the same moment is refused from the second test on.
      expect([200, 409]).toContain((await ask('pricing/set-rate', { body })).status);
    });
    const local = () => seedPayingSite({ payment: { bin_currency: 1, margin_percentage: '10' } });
    const unnamed = { BIN: '457173', currency: undefined };

    it('is in the currency of the country of the card, at the rate of the site', async () => {
      const seeded = await local();
      expect((await byBin(seeded, unnamed)).body).toMatchObject([
        { currency: 'EUR', amount_shipping: 0.99, amount_total: 10.64, fxrate: '0.99' },
      ]);
    });

    it('is in the site’s where one is named, none is known, there is no rate, or no route takes it', async () => {
      const seeded = await local();
      const own = [{ currency: 'USD', amount_shipping: 1 }];
      expect((await byBin(seeded, { BIN: '457173' })).body).toMatchObject(own);
      expect((await byBin(seeded, { ...unnamed, BIN: '424242' })).body).toMatchObject(own);
      expect((await byBin(seeded, { ...unnamed, BIN: '457174' })).body).toMatchObject(own);
      await seedRoutes(seeded.sid, [aRoute({ currencies: ['USD'] })]);
      expect((await byBin(seeded, unnamed)).body).toMatchObject(own);
      expect((await byBin(await seedPayingSite(), unnamed)).body).toMatchObject(own);
    });
  });

  it('is refused where no route takes such a card or so much', async () => {
    const seeded = await seedPayingSite();
    await seedRoutes(seeded.sid, [aRoute({ schemes: ['VISA'], currencies: ['USD'], max: '10.75' })]);
    const refused = { status: 409, body: { status: 'EXC', error_code: 'card_not_taken' } };
    expect(await byBin(seeded)).toMatchObject({ status: 200 });
    expect(await byBin(seeded, { BIN: '378282' })).toMatchObject(refused);
    expect(await byBin(seeded, { BIN: '999999' })).toMatchObject(refused);
    expect(await byBin(seeded, { amount_tax: '0.26' }, `${timestamp}10.76USD`)).toMatchObject(refused);
    expect(await byBin(seeded, { currency: 'EUR' }, `${timestamp}10.75EUR`)).toMatchObject(refused);
  });

  it('is refused where the processor accepts no such currency, or cannot receive the amount', async () => {
    const seeded = await seedPayingSite();
    await seedRoutes(seeded.sid, [aRoute({ processor: 'stripe' })]);
    const refused = { status: 409, body: { status: 'EXC', error_code: 'card_not_taken' } };
    expect(await byBin(seeded, { currency: 'CUP' }, `${timestamp}10.75CUP`)).toMatchObject(refused);
    expect(await byBin(seeded, { currency: 'KWD' }, `${timestamp}10.750KWD`)).toMatchObject({ status: 200 });
    const exact = { currency: 'KWD', amount_tax: '0.251' };
    expect(await byBin(seeded, exact, `${timestamp}10.751KWD`)).toMatchObject(refused);
  });

  it('is refused with a wrong hash, and tells no site from none', async () => {
    const seeded = await seedPayingSite();
    const refused = { status: 401, body: { status: 'EXC', error_code: 'hash_wrong' } };
    for (const signed of [`${timestamp}10.750USD`, `${timestamp}10.76USD`, `${timestamp}10.75EUR`, '10.75USD']) {
      expect(await byBin(seeded, {}, signed)).toMatchObject(refused);
    }
    const mine = await byBin({ ...seeded, rcode: 'another' });
    expect(mine).toMatchObject(refused);
    expect((await byBin({ ...seeded, sid: 999_999 })).body).toEqual(mine.body);
  });

  it.each([
    [900, 200],
    [901, 400],
    [-900, 200],
    [-901, 400],
  ])('with a timestamp %d s away is answered %d', async (seconds, status) => {
    const other = String(start / 1000 + seconds);
    expect((await byBin(await seedPayingSite(), { timestamp: other }, `${other}10.75USD`)).status).toBe(status);
  });

  it('is for payment sites', async () => {
    expect(await byBin(await seedPayingSite({ type: null }))).toMatchObject({
      status: 409,
      body: { error_code: 'site_not_for_payments' },
    });
  });

  it.each([
    [{ BIN: '42424' }, 'BIN: must be the first 6 digits of the card'],
    [{ item_name: ['Tea', 'Coffee'] }, 'item_name: must have as many entries as item_amount_unit (1)'],
    [{ item_quantity: [1, 1] }, 'item_quantity: must have as many entries as item_amount_unit (1)'],
    [{ item_amount_unit: ['5.001'] }, 'item_amount_unit.0: has more decimals than USD has (2)'],
    [{ amount_coupon: '20' }, 'amount_coupon: must not be above the items, shipping and tax together'],
  ])('is refused with %j', async (change, words) => {
    const { status, body } = toReply(await byBin(await seedPayingSite(), change));
    expect(status).toBe(400);
    expect(String(body['error_msg'])).toContain(words);
  });

  it('is declared as it behaves', () => expectDeclared('pricing/bin-payment-options'));
});
