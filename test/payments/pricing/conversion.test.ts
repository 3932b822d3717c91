import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalText, dividedHalfEven, toDecimal } from '#payments/payments/decimal.ts';
import { maxMinor } from '#payments/payments/order/cart.ts';
import {
  convert,
  convertForSite,
  findMargin,
  isNearRate,
  rateBounds,
  rateWithMargin,
  refundInCharged,
  refundInOriginal,
} from '#payments/pricing/rates/conversion.ts';

const at = '2026-05-02T10:00:00.000Z';
const ecbRate = (from: string, to: string, rate: string) => ({ from, to, rate, source: 'ECB', at, by: 'root' });

describe('decimals', () => {
  it.each([
    [5n, 2n, 2n],
    [7n, 2n, 4n],
    [1n, 2n, 0n],
    [3n, 2n, 2n],
    [8n, 3n, 3n],
    [7n, 3n, 2n],
  ])('rounds %s / %s to %s', (numerator, denominator, whole) => {
    expect(dividedHalfEven(numerator, denominator)).toBe(whole);
  });

  it('read back as they are written, without zeros at the end', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 20n), fc.integer({ min: 0, max: 14 }), (digits, scale) => {
        const text = decimalText({ digits, scale });
        expect(text).toMatch(/^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/);
        const read = toDecimal(text);
        expect(read.digits * 10n ** BigInt(14 - read.scale)).toBe(digits * 10n ** BigInt(14 - scale));
      }),
    );
  });
});

describe('a conversion', () => {
  it.each([
    ['1000', 'USD', 'EUR', '0.92', '920'],
    ['1000', 'USD', 'JPY', '150.25', '1502'],
    ['1001', 'JPY', 'USD', '0.00665', '666'],
    ['1000', 'USD', 'KWD', '0.30711111', '3071'],
    ['12345', 'KWD', 'JPY', '488.7', '6033'],
    ['150', 'JPY', 'KWD', '0.00205', '308'],
    // A half goes to the even one.
    ['50', 'USD', 'EUR', '0.01', '0'],
    ['150', 'USD', 'EUR', '0.01', '2'],
    ['250', 'USD', 'EUR', '0.01', '2'],
  ])('takes %s of %s to %s at %s for %s', (minor, currency, to, rate, converted) => {
    expect(convert({ minor: BigInt(minor), currency }, to, rate)).toEqual({ minor: BigInt(converted), currency: to });
  });

  it('is never further than half a minor unit from what it should be', () => {
    const money = fc.record({ minor: fc.bigInt(0n, maxMinor), currency: fc.constantFrom('USD', 'JPY', 'KWD', 'CLF') });
    fc.assert(
      fc.property(money, fc.constantFrom('EUR', 'KRW', 'BHD'), fc.bigInt(1n, 10n ** 16n), (sent, to, digits) => {
        const { minor } = convert(sent, to, decimalText({ digits, scale: 8 }));
        const decimals: Record<string, bigint> = { USD: 2n, JPY: 0n, KWD: 3n, CLF: 4n, EUR: 2n, KRW: 0n, BHD: 3n };
        const off =
          minor * 10n ** (8n + (decimals[sent.currency] ?? 0n)) - sent.minor * digits * 10n ** (decimals[to] ?? 0n);
        const unit = 10n ** (8n + (decimals[sent.currency] ?? 0n));
        expect(2n * (off < 0n ? -off : off) <= unit).toBe(true);
      }),
    );
  });
});

describe('a conversion to the currency of a site', () => {
  it('keeps all that it takes to reckon it again', () => {
    const input = {
      money: { minor: 10_000n, currency: 'USD' },
      descriptorCurrency: 'EUR',
      rate: ecbRate('USD', 'EUR', '0.92'),
      margin: '2.5',
    };
    expect(convertForSite(input)).toEqual({
      charged: { minor: 9430n, currency: 'EUR' },
      conversion: {
        original: { minor: '10000', currency: 'USD' },
        rate: '0.943',
        margin: '2.5',
        source: 'ECB',
        at,
      },
    });
  });

  it('charges an amount of 15 digits', () => {
    const money = { minor: maxMinor, currency: 'USD' };
    const input = { money, descriptorCurrency: 'EUR', rate: ecbRate('USD', 'EUR', '1'), margin: '0' };
    expect(convertForSite(input)).toMatchObject({ charged: { minor: maxMinor, currency: 'EUR' } });
  });

  it('leaves what is in that currency already as it is, margin or not', () => {
    const money = { minor: 10_000n, currency: 'EUR' };
    expect(convertForSite({ money, descriptorCurrency: 'EUR', rate: undefined, margin: '2.5' })).toEqual({
      charged: money,
      conversion: null,
    });
  });

  it.each([
    ['without a rate', 1n, undefined, 'currency: there is no exchange rate from USD to EUR.'],
    [
      'with the rate of another pair',
      1n,
      ecbRate('EUR', 'USD', '1.1'),
      'currency: there is no exchange rate from USD to EUR.',
    ],
    ['of what would be nothing', 1n, ecbRate('USD', 'EUR', '0.1'), 'amount: rounds to nothing in EUR.'],
    [
      'of what would be too much',
      maxMinor,
      ecbRate('USD', 'EUR', '1.1'),
      'amount: comes to more than 15 digits in EUR.',
    ],
  ])('is refused %s', (_name, minor, rate, words) => {
    const money = { minor, currency: 'USD' };
    expect(convertForSite({ money, descriptorCurrency: 'EUR', rate, margin: '0' })).toBe(words);
  });

  it.each([
    [{ margin_percentage: '3' }, { margin_percentage: 2 }, '3'],
    [{ margin_percentage: '0' }, { margin_percentage: 2 }, '0'],
    [{}, { margin_percentage: 2.25 }, '2.25'],
    [null, {}, '0'],
    [null, undefined, '0'],
  ])('takes the margin of %j before that of %j', (site, retailer, margin) => {
    expect(findMargin(site, retailer)).toBe(margin);
  });

  it('has the exact rate with its margin', () =>
    expect(rateWithMargin('0.00000001', '0.0001')).toBe('0.00000001000001'));
});

describe('a refund in the original currency', () => {
  const payment = fc.record({ original: fc.bigInt(1n, 10n ** 12n), charged: fc.bigInt(1n, 10n ** 12n) });
  const cuts = fc.array(fc.bigInt(0n, 10n ** 12n), { maxLength: 12 });

  it('comes to the original exactly once everything is refunded, whatever the parts were', () => {
    fc.assert(
      fc.property(payment, cuts, ({ original, charged }, points) => {
        const ends = [...points.map((point) => point % (charged + 1n)), charged].toSorted((a, b) => (a < b ? -1 : 1));
        let refundedCharged = 0n;
        let sum = 0n;
        for (const end of ends) {
          const refundCharged = end - refundedCharged;
          const part = refundInOriginal({ original, charged, refundedCharged, refundCharged, refundedOriginal: sum });
          const off = part * charged - original * refundCharged;
          expect(part >= 0n && off <= charged && off >= -charged).toBe(true);
          sum += part;
          refundedCharged = end;
        }
        expect(sum).toBe(original);
      }),
    );
  });

  it('does so too where refunds were under way meanwhile that failed', () => {
    const step = fc.record({ part: fc.bigInt(0n, 10n ** 12n), fails: fc.boolean() });
    fc.assert(
      fc.property(payment, fc.array(step, { maxLength: 12 }), ({ original, charged }, steps) => {
        const none = { charged: 0n, original: 0n };
        let [done, underWay] = [none, none];
        const partOf = (refundCharged: bigint): bigint =>
          refundInOriginal({
            ...{ original, charged, refundCharged },
            refundedCharged: done.charged + underWay.charged,
            refundedOriginal: done.original + underWay.original,
          });
        for (const { part, fails } of steps) {
          const refund = part % (charged - done.charged - underWay.charged + 1n);
          const made = { charged: refund, original: partOf(refund) };
          underWay = fails ? made : none;
          if (!fails) done = { charged: done.charged + made.charged, original: done.original + made.original };
        }
        underWay = none;
        expect(done.original + partOf(charged - done.charged)).toBe(original);
      }),
    );
  });

  it('is charged back at the same rate where it is asked for, and the last one takes all that is left', () => {
    fc.assert(
      fc.property(payment, cuts, ({ original, charged }, points) => {
        let soFar = { original, charged, refundedCharged: 0n, refundedOriginal: 0n };
        for (const point of points) {
          const asked = point % (original - soFar.refundedOriginal + 1n);
          const part = refundInCharged(soFar, asked);
          expect(part >= 0n && part <= charged - soFar.refundedCharged).toBe(true);
          soFar = {
            ...soFar,
            refundedCharged: soFar.refundedCharged + part,
            refundedOriginal: soFar.refundedOriginal + asked,
          };
        }
        const last = refundInCharged(soFar, original - soFar.refundedOriginal);
        expect(soFar.refundedCharged + last).toBe(charged);
      }),
    );
  });

  it('goes on from what was really refunded after one that failed', () => {
    // 10 of 30 failed after 20 of 30 was reckoned behind it, as the second of two.
    const whole = { original: 100n, charged: 30n };
    const second = refundInOriginal({ ...whole, refundedCharged: 10n, refundCharged: 10n, refundedOriginal: 33n });
    const third = refundInOriginal({ ...whole, refundedCharged: 10n, refundCharged: 20n, refundedOriginal: second });
    expect([second, third]).toEqual([34n, 66n]);
  });

  it('is not made of more than is left, nor of less than nothing', () => {
    const whole = { original: 100n, charged: 30n, refundedOriginal: 0n };
    expect(() => refundInOriginal({ ...whole, refundedCharged: 20n, refundCharged: 11n })).toThrow(RangeError);
    expect(() => refundInOriginal({ ...whole, refundedCharged: 20n, refundCharged: -1n })).toThrow(RangeError);
  });

  it('is nothing where those before took a unit too many', () => {
    const most = { original: 1n, charged: 30n, refundedCharged: 10n, refundCharged: 1n, refundedOriginal: 1n };
    expect(refundInOriginal(most)).toBe(0n);
  });
});

describe('a posted rate', () => {
  it('may be one percent away, and not more', () => {
    expect(rateBounds('0.92')).toEqual({ lowest: '0.9108', highest: '0.9292' });
    expect(
      ['0.9108', '0.92', '0.92920', '0.9107999', '0.9292001', '0'].map((rate) => isNearRate(rate, '0.92')),
    ).toEqual([true, true, true, false, false, false]);
  });
});
