import { hmacSha256, type KeyRing } from '#core/kernel/crypto.ts';

/** The token of a link in an e-mail follows from this and a secret key, so that no row has it. `key`: the name of that key. */
export type LinkSeed = { key: string; nonce: string };

/** Derives the token. Throws if the key has been removed from the secret. */
export const deriveLinkToken = ({ keys }: KeyRing, { key, nonce }: LinkSeed): string => {
  const secret = keys[key];
  if (secret === undefined) throw new Error(`The encryption secret has no key named ${key}`);
  return Buffer.from(hmacSha256(`password-link:${secret}`, nonce), 'hex').toString('base64url');
};
