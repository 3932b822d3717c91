import { afterEach, describe, expect, it, vi } from 'vitest';
import { contentWriter, isDigestOf } from '#core/kernel/content-digest.ts';
import { hmacSha256, keyNameOf } from '#core/kernel/crypto.ts';
import { oldestPurposeKey, purposeKey } from '#core/kernel/key-ring.ts';
import { signingKeyOf } from '#core/kernel/provider-signature.ts';
import { requireCertificate } from '#disputes/alerts/intake/intake-signature-store.ts';

describe('the signature of a provider', () => {
  const now = 1_777_716_000_000;
  const signed = (time: string) => `t=${time},v1=${hmacSha256('key', `${time}.body`)}`;
  const keyAt = (time: string) => signingKeyOf(signed(time), 'body', ['other', 'key'], now);

  it('is valid for five minutes before and after its time', () => {
    for (const seconds of [-300, 0, 300]) expect(keyAt(String(now / 1000 + seconds))).toBe('key');
    for (const seconds of [-301, 301]) expect(keyAt(String(now / 1000 + seconds))).toBeUndefined();
  });

  it('needs a time in whole seconds, in digits alone', () => {
    for (const time of ['1.777716e9', '0x69f5c9e0', ' 1777716000', '1777716000.0', '+1777716000', '']) {
      expect(keyAt(time), time).toBeUndefined();
    }
  });
});

describe('the client certificate of a provider', () => {
  const lines: unknown[] = [];
  const require = (clientSubject: string | undefined) => {
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(JSON.parse(String(line))) > 0);
    return requireCertificate({ clientSubject } as Parameters<typeof requireCertificate>[0]);
  };
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    lines.length = 0;
  });

  it('is accepted if it has the subject agreed on', async () => {
    vi.stubEnv('PROVIDER_A_SUBJECT', 'CN=provider');
    await require('CN=provider');
    expect(lines).toEqual([]);
  });

  it.each([
    ['another', 'CN=provider', 'CN=other'],
    ['no', 'CN=provider', undefined],
    ['a', undefined, 'CN=provider'],
    ['no', undefined, undefined],
  ])('is refused and logged: %s certificate where %s is agreed on', async (_, agreed, subject) => {
    vi.stubEnv('PROVIDER_A_SUBJECT', agreed);
    await expect(require(subject)).rejects.toMatchObject({ code: 'signature_invalid' });
    expect(lines).toMatchObject([{ event: 'client_certificate_refused', subject: subject ?? null }]);
  });
});

describe('keys', () => {
  const ring = { current: 'k1', keys: { k1: 'a'.repeat(64) }, retired: { k0: { card: '00'.repeat(32) } } };

  it('are found by their own names only', () => {
    for (const name of ['constructor', 'toString', '__proto__']) {
      expect(purposeKey(ring, name, 'card')).toBeUndefined();
      expect(isDigestOf(ring, `${name}.x`, 'content')).toBe(false);
    }
    expect(purposeKey(ring, 'k1', 'card')).toBe(`card:${'a'.repeat(64)}`);
    expect(purposeKey(ring, 'k0', 'card')).toEqual(Buffer.alloc(32));
  });

  it('of a purpose begin with the oldest, which may be retired', () => {
    expect(oldestPurposeKey({ current: 'k1', keys: ring.keys }, 'card')).toBe(`card:${'a'.repeat(64)}`);
    expect(oldestPurposeKey(ring, 'card')).toEqual(Buffer.alloc(32));
  });

  it('are named by what they have sealed', () => {
    expect(keyNameOf('k2.nonce.tag.text')).toBe('k2');
  });
});

it('the content of an order does not depend on the order of its fields, nor on hash, timestamp and CVV', () => {
  const content = contentWriter('sale', { b: 2, a: 1, c: 3 })();
  expect(content).toBe(JSON.stringify(['sale', ['a', 1], ['b', 2], ['c', 3]]));
  expect(contentWriter('sale', { c: 3, a: 1, hash: 'h', timestamp: 1, card_ccv: '123', b: 2 })()).toBe(content);
  expect(contentWriter('refund', { a: 1, b: 2, c: 3 })()).not.toBe(content);
});
