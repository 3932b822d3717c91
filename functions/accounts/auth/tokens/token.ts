import { randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { iso } from '#core/kernel/clock.ts';
import type { KeyRing } from '#core/kernel/crypto.ts';
import type { User } from '../users/user.ts';

const issuer = 'forewarn';
const audience = 'forewarn-api';
const algorithm = 'HS256';

/** Seconds for which a token from gettoken is valid. */
export const tokenSeconds = 3600;

export type IssuedToken = { token: string; jti: string; issuedAtSeconds: number; expiresAtSeconds: number };

/** The claims of a token that Forewarn issued, unaltered and not expired. */
type TokenClaims = {
  jti: string;
  username: string;
  issuedAtSeconds: number;
  /** The session it was issued to; undefined: it was issued to a program. */
  session: string | undefined;
};

/** The holder of a token. `session`: the session for which it is issued. */
type Holder = Pick<User, 'username' | 'scope' | 'mid' | 'role'> & { session?: string };

const secretBytes = (secret: string): Uint8Array => new TextEncoder().encode(secret);

/** Creates a JWT for a user, signed with the current key of the key ring; its header names the key. `at`: the time of issue. */
export const issueToken = async (
  ring: KeyRing,
  { username, scope, mid, role, session }: Holder,
  at: Date,
  validSeconds: number = tokenSeconds,
): Promise<IssuedToken> => {
  const secret = ring.keys[ring.current];
  if (!secret) throw new Error(`The token secret has no key named ${ring.current}`);
  const jti = randomUUID();
  const issuedAtSeconds = at.getTime() / 1000;
  const expiresAtSeconds = Math.floor(issuedAtSeconds) + validSeconds;
  // `iat` and `exp` are whole, as many verifiers expect; `ms` tells tokens before a password change from those after it within one second.
  const claims = {
    scope,
    ms: at.getTime() % 1000,
    ...(mid !== null && { mid }),
    ...(role && { role }),
    ...(session && { ses: session }),
  };
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: ring.current })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(username)
    .setIssuedAt(Math.floor(issuedAtSeconds))
    .setExpirationTime(expiresAtSeconds)
    .setJti(jti)
    .sign(secretBytes(secret));
  return { token, jti, issuedAtSeconds, expiresAtSeconds };
};

/**
 * Checks whether each part is spelled as an encoder spells it: the last character of base 64 may have unused bits, and a token that is
 * revoked, logged or counted by its text must have only one spelling.
 */
const isCanonical = (token: string): boolean =>
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

/** The result of reading a token: valid, expired (ISO, when), signed with an unknown key, or not issued here. */
export type TokenReading =
  | { kind: 'valid'; claims: TokenClaims }
  | { kind: 'expired'; endedAt: string }
  | { kind: 'key_unknown' | 'foreign' };

/** Tokens of earlier releases have the fraction in `iat`. */
const withMilliseconds = (iat: number, ms: unknown): number =>
  typeof ms === 'number' && Number.isInteger(iat) ? (iat * 1000 + ms) / 1000 : iat;

/** Checks a JWT with the key its header names, `at` a time. */
export const readToken = async (ring: KeyRing, token: string, at: Date): Promise<TokenReading> => {
  if (!isCanonical(token)) return { kind: 'foreign' };
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => keyNamed(ring, kid), {
      algorithms: [algorithm],
      issuer,
      audience,
      currentDate: at,
      requiredClaims: ['sub', 'iat', 'exp', 'jti'],
    });
    const { sub = '', jti = '', iat = 0, ms, ses } = payload;
    const session = typeof ses === 'string' ? ses : undefined;
    return { kind: 'valid', claims: { jti, username: sub, issuedAtSeconds: withMilliseconds(iat, ms), session } };
  } catch (error) {
    // The signature is checked before the times, so only tokens that we have signed are called expired.
    if (error instanceof errors.JWTExpired) return { kind: 'expired', endedAt: iso(Number(error.payload.exp) * 1000) };
    if (error instanceof errors.JWKSNoMatchingKey) return { kind: 'key_unknown' };
    if (error instanceof errors.JOSEError) return { kind: 'foreign' };
    throw error;
  }
};

const keyNamed = (ring: KeyRing, name: unknown): Uint8Array => {
  const secret = typeof name === 'string' && Object.hasOwn(ring.keys, name) ? ring.keys[name] : undefined;
  if (!secret) throw new errors.JWKSNoMatchingKey();
  return secretBytes(secret);
};
