import { describe, expect, it } from 'vitest';
import { equalSecrets, open, seal, sha256 } from '#core/kernel/crypto.ts';

const ring = { current: 'k2', keys: { k1: 'first key', k2: 'second key' } };

describe('a sealed secret', () => {
  it('opens in its own context only', () => {
    const sealed = seal(ring, 'site:1:rcode', 's3cret');
    expect(open(ring, 'site:1:rcode', sealed)).toBe('s3cret');
    expect(() => open(ring, 'site:2:rcode', sealed)).toThrow();
  });

  it('still opens after its key was followed by another', () => {
    const sealed = seal({ ...ring, current: 'k1' }, 'x', 's3cret');
    expect(open(ring, 'x', sealed)).toBe('s3cret');
    expect(() => open({ current: 'k2', keys: { k2: 'second key' } }, 'x', sealed)).toThrow('no key named k1');
  });

  it('differs each time, shows nothing of the text, and does not open when a part was changed', () => {
    const sealed = seal(ring, 'x', 's3cret');
    expect(sealed).not.toBe(seal(ring, 'x', 's3cret'));
    expect(sealed).not.toContain('s3cret');
    const parts = sealed.split('.');
    for (const index of [1, 2, 3]) {
      const changed = parts.map((part, at) => (at === index ? `${part[0] === 'A' ? 'B' : 'A'}${part.slice(1)}` : part));
      expect(() => open(ring, 'x', changed.join('.'))).toThrow();
    }
    expect(() => open(ring, 'x', parts.map((part, at) => (at === 2 ? part.slice(0, 8) : part)).join('.'))).toThrow();
  });
});

describe('comparing secrets', () => {
  it('takes any lengths', () => {
    expect(equalSecrets('a', 'a')).toBe(true);
    expect(equalSecrets('a', 'ab')).toBe(false);
    expect(equalSecrets('', '')).toBe(true);
  });
});

it('hashes as SHA-256 does: the verification vector of a payment result', () => {
  expect(sha256('12;s3cret;1001;OK;10.00;USD;PAYMENT')).toBe(
    'ff159d93b751c232b9e5a4ebfbcab8dc4775a34b74b0458a1c634efc9c00eff9',
  );
});
