import { equalSecrets, hmacSha256, type KeyRing, sha256 } from '#core/kernel/crypto.ts';

/**
 * The token with which a payer's page may call Forewarn: `<id>.<expiry>.<mac>`, for one authentication of one page, for fifteen minutes.
 * The mac is an HMAC of the encryption ring over the identifier, the expiry, the site and the page's origin.
 */

export const clientTokenMilliseconds = 15 * 60_000;

export type TokenOwner = { id: number; sid: number; pageOrigin: string };

const tokenMac = (key: string, { id, sid, pageOrigin }: TokenOwner, expiry: number): string =>
  hmacSha256(`3ds-client:${key}`, JSON.stringify([id, expiry, sid, pageOrigin])).slice(0, 40);

/** A token that ends at a time (milliseconds). */
export const newClientToken = (ring: KeyRing, owner: TokenOwner, expiry: number): string =>
  `${owner.id}.${expiry}.${tokenMac(ring.keys[ring.current] ?? '', owner, expiry)}`;

/** The form of a token. Some tokens' digits look like a card number together. */
export const clientTokenForm = /^([1-9]\d{0,15})\.([1-9]\d{0,15})\.([\da-f]{40})$/;

/** The content of a token; undefined if it is not one, is another authentication's, or has expired. `now`: milliseconds. */
export const readClientToken = (
  token: string,
  id: number,
  now: number,
): { expiry: number; mac: string } | undefined => {
  const [, owner, end, mac = ''] = clientTokenForm.exec(token) ?? [];
  const expiry = Number(end);
  return owner === String(id) && expiry > now ? { expiry, mac } : undefined;
};

/** Checks whether Forewarn issued a token, by any key that is or was the current one. */
export const isClientToken = (ring: KeyRing, owner: TokenOwner, token: string, now: number): boolean => {
  const read = readClientToken(token, owner.id, now);
  if (!read) return false;
  return Object.values(ring.keys).filter((key) => equalSecrets(read.mac, tokenMac(key, owner, read.expiry))).length > 0;
};

/** The digest by which a row remembers an issued token: a reader of the table cannot call with it. */
export const tokenDigest = (token: string): string => sha256(`3ds-client:${token}`).slice(0, 32);
