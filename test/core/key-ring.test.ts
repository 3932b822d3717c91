import { describe, expect, it } from 'vitest';
import { cardFingerprintsOf, fingerprintOf } from '#core/kernel/card/card.ts';
import { digestContent, isDigestOf } from '#core/kernel/content-digest.ts';
import { hmacSha256, seal } from '#core/kernel/crypto.ts';
import { newestKey, oldestPurposeKey, readKeyRing, withKey, withoutKey, writeKeyRing } from '#core/kernel/key-ring.ts';
import { readReference, writeReference } from '#payments/processors/sandbox/sandbox-reference.ts';

const [first, second] = ['a'.repeat(64), 'b'.repeat(64)];
const old = { current: 'k1', keys: { k1: first } };
const both = { current: 'k2', keys: { k1: first, k2: second } };
const retired = withoutKey(both, 'k1');
const card = '4242424242424242';

describe('a key that is retired', () => {
  it('still recognises what was digested with it', () => {
    expect(cardFingerprintsOf(retired, card)).toEqual(cardFingerprintsOf(both, card));
    expect(cardFingerprintsOf(retired, card)).toContain(fingerprintOf(old, card));
    expect(isDigestOf(retired, digestContent(old, 'an order'), 'an order')).toBe(true);
    expect(isDigestOf(retired, digestContent(old, 'an order'), 'another order')).toBe(false);
    const reference = { kind: 'refund', id: '0'.repeat(32), operation: `o${'1'.repeat(16)}` } as const;
    expect(readReference(retired, 7, writeReference(old, 7, reference))).toEqual(reference);
    expect(readReference(retired, 8, writeReference(old, 7, reference))).toBeUndefined();
  });

  it('is not there any more: nothing is sealed or opened with it', () => {
    expect(writeKeyRing(retired)).not.toContain(first);
    expect(() => seal({ ...retired, current: 'k1' }, 'x', 'text')).toThrow('no key named k1');
    expect(isDigestOf({ current: 'k2', keys: { k2: second } }, digestContent(old, 'an order'), 'an order')).toBe(false);
  });

  it('is not the current one, nor one whose parts would give it away', () => {
    expect(() => withoutKey(both, 'k2')).toThrow('k2 is the current key');
    expect(() => withoutKey(both, 'k3')).toThrow('no key k3');
    // With its purpose, a key that fills SHA-256's block would be kept as it is.
    for (const short of ['short', 'a'.repeat(64 - 'card:'.length)]) {
      expect(() => withoutKey({ current: 'k2', keys: { k1: short, k2: second } }, 'k1')).toThrow('is shorter than');
    }
    expect(() => withoutKey({ current: 'k2', keys: { k1: 'a'.repeat(60), k2: second } }, 'k1')).not.toThrow();
  });

  it('is never called like the next one', () => {
    expect(newestKey(withKey(withoutKey({ current: 'k1', keys: both.keys }, 'k2'), second))).toBe('k3');
  });
});

it('the oldest key of a purpose stays the same when keys are added and retired', () => {
  const known = oldestPurposeKey(old, 'card');
  for (const ring of [both, retired, withKey(retired, second)]) {
    expect(hmacSha256(oldestPurposeKey(ring, 'card'), card)).toBe(hmacSha256(known, card));
  }
});

it('the newest key is the one with the highest number, whatever its place', () => {
  expect(newestKey({ current: 'k1', keys: { k10: 'a', k9: 'b', k1: 'c' } })).toBe('k10');
  expect(newestKey({ current: 'k1', keys: { k1: 'c', k9: 'b', k10: 'a' } })).toBe('k10');
  expect(Object.keys(withKey({ current: 'k1', keys: { k1: first } }, second).keys)).toEqual(['k1', 'k2']);
});

it('reads back a key ring unchanged', () => {
  expect(readKeyRing(writeKeyRing(retired))).toEqual(retired);
  expect(readKeyRing(writeKeyRing(both))).toEqual(both);
  expect(() => readKeyRing('{"k1": "no current one"}')).toThrow();
});
