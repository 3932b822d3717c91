import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { milliseconds } from '#core/kernel/clock.ts';
import { countryOfBin } from '#payments/fraud/bins/bins.ts';
import { canonicalIp, ipNetwork, toDevice } from '#payments/fraud/check/subject.ts';
import {
  outdatedBuckets,
  type VelocityRow,
  velocityAttributes,
  velocityFacts,
  velocityNames,
} from '#payments/fraud/velocity/velocity.ts';
import { velocityWrites } from '#payments/fraud/velocity/velocity-row.ts';
import { anonymousSubject, aSubject, at } from './samples.ts';

const hoursBefore = (hours: number): string => new Date(Date.parse(at) - hours * milliseconds.hour).toISOString();
const rowUsed = (times: readonly string[], change: Parameters<typeof aSubject>[0] = {}): VelocityRow => {
  const row: Record<string, number | string> = {};
  for (const time of times) {
    const { count, sum, first } = velocityAttributes(aSubject({ ...change, at: time }));
    row[count] = Number(row[count] ?? 0) + 1;
    row[sum] = Number(row[sum] ?? 0) + 250;
    row[first] ??= time;
  }
  return row;
};
const cardCounts = (row: VelocityRow | undefined, change: Parameters<typeof aSubject>[0] = {}) => {
  const facts = velocityFacts(aSubject(change), (name) => (name.startsWith('CARD#') ? row : undefined));
  return ['1h', '24h', '7d'].map((window) => [
    facts[`velocity_count(card, ${window})`],
    facts[`velocity_sum(card, ${window})`],
  ]);
};

describe('a window', () => {
  it('counts the subject itself when nothing was before', () =>
    expect(cardCounts(undefined)).toEqual([
      [1, 10],
      [1, 10],
      [1, 10],
    ]));

  it('begins with the hour in which it starts, and not a moment earlier', () => {
    // At 10:30, the last hour reaches to 09:30, so all of 09:00 is in it and 08:59:59.999 is not.
    const [inside, outside] = ['2026-05-02T09:00:00.000Z', '2026-05-02T08:59:59.999Z'];
    expect(cardCounts(rowUsed([inside]))).toEqual([
      [2, 12.5],
      [2, 12.5],
      [2, 12.5],
    ]);
    expect(cardCounts(rowUsed([outside]))).toEqual([
      [1, 10],
      [2, 12.5],
      [2, 12.5],
    ]);
  });

  it.each([
    ['24 hours', '2026-05-01T10:00:00.000Z', [1, 2, 2]],
    ['just over', '2026-05-01T09:59:59.999Z', [1, 1, 2]],
    ['7 days', '2026-04-25T10:00:00.000Z', [1, 1, 2]],
    ['just over them', '2026-04-25T09:59:59.999Z', [1, 1, 1]],
  ])('holds its edge at %s', (_, time, expected) =>
    expect(cardCounts(rowUsed([time])).map(([count]) => count)).toEqual(expected),
  );

  it('holds what any number of uses at any times come to', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 30 }), (ages) => {
        const counts = cardCounts(rowUsed(ages.map(hoursBefore)));
        for (const [index, hours] of [1, 24, 168].entries()) {
          const within = ages.filter((age) => age <= hours).length;
          expect(counts[index]).toEqual([within + 1, 10 + within * 2.5]);
        }
      }),
    );
  });

  it('sums the currency of the payment alone', () =>
    expect(cardCounts(rowUsed([at]), { money: { minor: 500n, currency: 'JPY' } })[0]).toEqual([2, 500]));

  it('shows payments to payments and checks to checks', () => {
    expect(cardCounts(rowUsed([at, at]), { kind: 'check' })[0]).toEqual([1, 10]);
    expect(cardCounts(rowUsed([at, at], { kind: 'check' }), { kind: 'check' })[0]).toEqual([3, 15]);
  });
});

describe('who is counted', () => {
  it('is null for an unknown subject', () => {
    expect(velocityNames(anonymousSubject())).toEqual([]);
    expect(velocityFacts(anonymousSubject(), () => undefined)).toEqual({ is_first_transaction: null });
  });

  it('is named without showing an address', () => {
    const names = velocityNames(aSubject()).map(({ name }) => name);
    expect(names.map((name) => name.split('#')[0])).toEqual(['CARD', 'EMAIL', 'IP', 'DEVICE']);
    expect(names.join()).not.toMatch(/shop|203|d-1/i);
  });

  it('is the same however an e-mail address or an IP address is written', () => {
    const other = aSubject({
      payer: { ...aSubject().payer, email: ' anna@shop.EXAMPLE', ip: '::ffff:203.0.113.7' },
    });
    expect(velocityNames(other)).toEqual(velocityNames(aSubject()));
  });

  it('is one network of IPv6', () => {
    const named = (ip: string) => ipNetwork(canonicalIp(ip) ?? '');
    expect(named('2001:db8:1:2:3:4:5:6')).toBe(named('2001:0DB8:1:2::1'));
    expect(named('2001:db8:1:3::1')).not.toBe(named('2001:db8:1:2::1'));
    expect(named('::1')).toBe('0:0:0:0::/64');
    // The zeros that are left out are within the network's own digits.
    expect(named('2001::1:2:3:4:5')).toBe('2001:0:0:1::/64');
    expect(named('203.0.113.7')).toBe('203.0.113.7');
  });

  it('has the country of the narrowest range that the card is in', () => {
    const wide = { from: '10000000', to: '49999999', country: 'US' };
    const narrow = { from: '41000000', to: '41009999', country: 'DE' };
    for (const ranges of [
      [wide, narrow],
      [narrow, wide],
    ]) {
      expect(countryOfBin(ranges, '41000001')).toBe('DE');
      expect(countryOfBin(ranges, '41010000')).toBe('US');
      expect(countryOfBin(ranges, '50000000')).toBeNull();
    }
  });

  it('knows what is no IP address', () =>
    expect(['', 'x', '1.2.3', '1.2.3.4.5', '256.1.1.1', '1.2.3.4.', ':', '1:2', 'a.b', '::g'].map(canonicalIp)).toEqual(
      Array.from({ length: 10 }, () => null),
    ));

  it('reads the known keys of device_info and nothing else', () => {
    expect(toDevice({ ip: '10.0.0.1', device_id: ' x ', user_agent: 7, bin_country: 'de', more: 'x' })).toEqual({
      id: 'x',
      ip: '10.0.0.1',
      userAgent: null,
      acceptLanguage: null,
      binCountry: 'DE',
    });
    expect(toDevice(null).binCountry).toBeNull();
  });
});

describe('a first transaction', () => {
  const isFirst = (known: 'CARD' | 'EMAIL' | null, change = {}) =>
    velocityFacts(aSubject(change), (name) =>
      known !== null && name.startsWith(known) ? rowUsed([hoursBefore(5000)]) : undefined,
    )['is_first_transaction'];

  it('is one whose card and e-mail address were never used, however long ago', () => {
    expect([isFirst(null), isFirst('CARD'), isFirst('EMAIL')]).toEqual([true, false, false]);
    expect(isFirst('CARD', { kind: 'check' })).toBe(true);
  });
});

it('removes what no window reaches, a part at a time', () => {
  const row = rowUsed(Array.from({ length: 400 }, (_, index) => hoursBefore(index)));
  const old = outdatedBuckets(row, at);
  expect(old.length).toBe((400 - 169) * 2);
  const [write] = velocityWrites(aSubject(), () => row);
  const { UpdateExpression = '', ExpressionAttributeNames = {} } = write?.Update ?? {};
  expect(Buffer.byteLength(UpdateExpression)).toBeLessThan(4096);
  expect(Object.values(ExpressionAttributeNames)).toEqual(expect.arrayContaining(old.slice(0, 50)));
  expect(old).not.toContain(velocityAttributes(aSubject({ at: hoursBefore(168) })).count);
});
