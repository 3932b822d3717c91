import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimsOfDescriptor, normaliseDescriptor } from '#core/kernel/descriptor.ts';
import { claimKeysFor, fromClaimsItem, networkClaimKeys } from '#disputes/enrollments/claims/claim-row.ts';
import {
  fieldProblems,
  type ItemStatus,
  newItems,
  overallStatus,
  repeatedItems,
} from '#disputes/enrollments/enrollment.ts';
import { itemStatuses } from '#disputes/enrollments/enrollment-vocabulary.ts';

describe('a descriptor', () => {
  it.each([
    ['  demo   shop ', 'DEMO SHOP'],
    ['Demo\tShop', 'DEMO SHOP'],
    ['caf\u00e9', 'CAF\u00c9'],
    ['cafe\u0301', 'CAF\u00c9'],
    ['   ', ''],
  ])('%j is %j', (text, normalised) => expect(normaliseDescriptor(text)).toBe(normalised));

  it('is normalised once and for all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const once = normaliseDescriptor(text);
        expect(normaliseDescriptor(once)).toBe(once);
      }),
    );
  });

  it('is claimed by itself and by each of its beginnings that does not end in a space', () => {
    expect(claimsOfDescriptor('ab c')).toEqual([
      { rule: 'EXACT', text: 'AB C' },
      { rule: 'PREFIX', text: 'A' },
      { rule: 'PREFIX', text: 'AB' },
      { rule: 'PREFIX', text: 'AB C' },
    ]);
  });

  it('is found under every prefix of it that can be enrolled, and under no other', () => {
    const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(texts, fc.nat(63), (text, length) => {
        const prefix = normaliseDescriptor([...normaliseDescriptor(text)].slice(0, length + 1).join(''));
        const prefixes = claimsOfDescriptor(text).flatMap((claim) => (claim.rule === 'PREFIX' ? [claim.text] : []));
        if (prefix !== '') expect(prefixes).toContain(prefix);
        expect(prefixes.every((one) => normaliseDescriptor(text).startsWith(one))).toBe(true);
      }),
    );
  });

  it('needs at most 65 rows to be looked up, all different, and 67 at rdr', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (descriptor) => {
        const keys = claimKeysFor('provider_a', descriptor).map(({ pk, sk }) => `${pk}\n${sk}`);
        expect(keys.length).toBeLessThanOrEqual(65);
        expect(new Set(keys).size).toBe(keys.length);
        const all = networkClaimKeys('rdr', { bin: '423223', caid: '1231231', arn: '1'.repeat(23), descriptor });
        expect(all.length).toBeLessThanOrEqual(67);
      }),
    );
  });

  it('is claimed by no site if it is empty', () => {
    expect(claimKeysFor('provider_a', '  ')).toEqual([]);
    expect(networkClaimKeys('rdr', { bin: '423223', caid: null, arn: '', descriptor: undefined })).toEqual([]);
    expect(fromClaimsItem(undefined)).toEqual([]);
  });
});

describe('the items of a request', () => {
  const a = { provider: ['provider_a' as const], descriptor: 'SHOP', match_type: 'Exact' as const };

  it.each([
    [a, []],
    [{ ...a, match_type: null }, ['match_type']],
    [{ provider: ['provider_b' as const] }, ['descriptor', 'match_type']],
    [{ provider: ['rdr' as const], network_bin: '423223', network_caid: '1' }, []],
    [{ provider: ['rdr' as const], network_arn: '1'.repeat(23) }, []],
    [{ provider: ['rdr' as const], network_bin: '423223' }, ['network_caid']],
    [{ provider: ['rdr' as const], descriptor: 'SHOP' }, ['network_bin', 'network_caid']],
    [{ ...a, descriptor: 'ß'.repeat(40) }, ['descriptor']],
  ])('%j are wrong in these fields: %j', (item, fields) =>
    expect(fieldProblems(item).map(({ field }) => field)).toEqual(fields),
  );

  it.each([
    [[a], []],
    [[a, { ...a, descriptor: ' shop ' }], ['enrollment_items.1.provider: repeats enrollment_items.0 for provider_a']],
    [[a, { ...a, match_type: 'Starts with' as const }], []],
  ])('%j repeat these: %j', (items, problems) => expect(repeatedItems(items)).toEqual(problems));

  it('are one per provider, all PENDING', () => {
    const items = newItems(
      [{ ...a, provider: ['provider_a', 'rdr'], network_arn: '1'.repeat(23), mcc: '5732' }],
      '2026-05-02T10:00:00.000Z',
    );
    expect(items).toMatchObject([
      { number: 0, provider: 'provider_a', descriptor: 'SHOP', networkArn: null, mcc: '5732', status: 'PENDING' },
      { number: 1, provider: 'rdr', descriptor: 'SHOP', networkArn: '1'.repeat(23), status: 'PENDING' },
    ]);
  });
});

describe('the status of a request', () => {
  const of = (...statuses: ItemStatus[]) => overallStatus(statuses.map((status) => ({ status })));

  it('is that of its items if they share one', () => {
    for (const status of itemStatuses) expect(of(status, status)).toBe(status);
  });

  it('is PARTIALLY ENROLLED when some are enrolled', () => {
    for (const status of itemStatuses.filter((one) => one !== 'ENROLLED')) {
      expect(of('ENROLLED', status)).toBe('PARTIALLY ENROLLED');
    }
  });

  it('is the least advanced otherwise', () => {
    expect(of('WAITING FOR PROVIDER', 'PENDING', 'FAILED')).toBe('PENDING');
    expect(of('WAITING FOR PROVIDER', 'WAITING FOR ACTION')).toBe('WAITING FOR ACTION');
    expect(of('UNENROLLED', 'FAILED')).toBe('FAILED');
  });
});
