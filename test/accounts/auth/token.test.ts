import { createHmac } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { issueToken, readToken } from '#accounts/auth/tokens/token.ts';

const ring = { current: 'k2', keys: { k1: 'the first secret of sixty-four characters', k2: 'the second secret' } };
const user = { username: 'shop', scope: 'merchant', mid: 7, role: 'analyst' } as const;
const at = new Date('2026-05-02T10:00:00.900Z');
const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);
const readPayload = (token: string) =>
  token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));

describe('an access token', () => {
  it('is a JWT that names its key, its issuer, its user and what they may see', async () => {
    const { token, jti } = await issueToken(ring, user, at);
    expect(readPayload(token)).toEqual([
      { alg: 'HS256', typ: 'JWT', kid: 'k2' },
      {
        iss: 'forewarn',
        aud: 'forewarn-api',
        sub: 'shop',
        iat: 1777716000,
        ms: 900,
        exp: 1777719600,
        jti,
        scope: 'merchant',
        mid: 7,
        role: 'analyst',
      },
    ]);
  });

  it('has no mid for an administrator', async () => {
    const { token } = await issueToken(ring, { username: 'root', scope: 'admin', mid: null, role: null }, at);
    expect(readPayload(token)[1]).not.toHaveProperty('mid');
  });

  it('is valid for an hour, and not from then on', async () => {
    const { token, jti } = await issueToken(ring, user, at);
    expect(await readToken(ring, token, later(3598))).toEqual({
      kind: 'valid',
      claims: { jti, username: 'shop', issuedAtSeconds: 1777716000.9 },
    });
    expect(await readToken(ring, token, later(3600))).toEqual({ kind: 'expired', endedAt: '2026-05-02T11:00:00.000Z' });
  });

  it('outlives the rotation of its key for as long as the key is kept', async () => {
    const { token } = await issueToken({ ...ring, current: 'k1' }, user, at);
    expect(await readToken(ring, token, at)).toMatchObject({ kind: 'valid' });
    expect(await readToken({ current: 'k2', keys: { k2: ring.keys.k2 } }, token, at)).toEqual({ kind: 'key_unknown' });
  });

  it('is refused when a character of it was changed', async () => {
    const { token } = await issueToken(ring, user, at);
    for (const index of [5, token.indexOf('.') + 5, token.lastIndexOf('.') + 5]) {
      const other = token[index] === 'A' ? 'B' : 'A';
      expect((await readToken(ring, `${token.slice(0, index)}${other}${token.slice(index + 1)}`, at)).kind).toMatch(
        /^(foreign|key_unknown)$/,
      );
    }
  });

  it('is refused in any other spelling of the same bytes', async () => {
    const { token } = await issueToken(ring, user, at);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const signature = Buffer.from(token.slice(token.lastIndexOf('.') + 1), 'base64url');
    const spellings = [...alphabet].map((last) => `${token.slice(0, -1)}${last}`);
    const same = spellings.filter((one) =>
      Buffer.from(one.slice(one.lastIndexOf('.') + 1), 'base64url').equals(signature),
    );
    expect(same).toHaveLength(4);
    const taken = await Promise.all(
      same.map(async (one) => ((await readToken(ring, one, at)).kind === 'valid' ? [one] : [])),
    );
    expect(taken.flat()).toEqual([token]);
    expect((await readToken(ring, `${token}=`, at)).kind).toMatch(/^(foreign|key_unknown)$/);
  });

  it('is refused when its header names its key by a list', async () => {
    const [, payload = ''] = (await claims({})).split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: ['k2'] })).toString('base64url');
    const signature = createHmac('sha256', ring.keys.k2).update(`${header}.${payload}`).digest('base64url');
    expect((await readToken(ring, `${header}.${payload}.${signature}`, at)).kind).toMatch(/^(foreign|key_unknown)$/);
  });

  const claims = (change: { issuer?: string; audience?: string; algorithm?: string; key?: string; kid?: string }) =>
    new SignJWT({})
      .setProtectedHeader({ alg: change.algorithm ?? 'HS256', kid: change.kid ?? 'k2' })
      .setIssuer(change.issuer ?? 'forewarn')
      .setAudience(change.audience ?? 'forewarn-api')
      .setSubject('shop')
      .setIssuedAt(at)
      .setExpirationTime(later(60))
      .setJti('1')
      .sign(Buffer.from(change.key ?? ring.keys.k2));

  it.each([
    ['another issuer', { issuer: 'other' }],
    ['another audience', { audience: 'other' }],
    ['another algorithm', { algorithm: 'HS512' }],
    ['another key', { key: 'not a secret of ours' }],
    ['a key there is none of', { kid: 'k3' }],
    ['a key named like a method', { kid: 'toString' }],
  ])('is refused with %s', async (_name, change) => {
    expect(await readToken(ring, await claims({}), at)).toMatchObject({ kind: 'valid' });
    expect((await readToken(ring, await claims(change), at)).kind).toMatch(/^(foreign|key_unknown)$/);
  });

  it('is reported as expired only if this service issued it', async () => {
    const late = later(3600);
    expect(await readToken(ring, await claims({}), late)).toMatchObject({ kind: 'expired' });
    expect(await readToken(ring, await claims({ key: 'not a secret of ours' }), late)).toEqual({ kind: 'foreign' });
    expect(await readToken(ring, await claims({ kid: 'k3' }), late)).toEqual({ kind: 'key_unknown' });
  });

  it('is refused without a signature, or when it is no token at all', async () => {
    const unsigned = new UnsecuredJWT({}).setSubject('shop').setIssuedAt(at).setExpirationTime(later(60)).encode();
    for (const text of [unsigned, '', 'a.b.c', 'abc', '..'])
      expect((await readToken(ring, text, at)).kind).toMatch(/^(foreign|key_unknown)$/);
  });
});
