import { equalSecrets, hmacSha256, type KeyRing } from '#core/kernel/crypto.ts';

/** Payers return from a hosted page by a link that only Forewarn can have issued: its token is an HMAC of the transaction's number. */

const tokenWith = (ring: KeyRing, key: string, txid: number): string =>
  hmacSha256(`return:${ring.keys[key]}`, String(txid)).slice(0, 32);

/** Returns the link by which the payer of this transaction returns. */
export const returnLink = (baseUrl: string, txid: number, ring: KeyRing): string =>
  `${baseUrl}/return/${txid}?token=${tokenWith(ring, ring.current, txid)}`;

/** Checks whether Forewarn issued a link's token, with any key that is or was the current one. */
export const isReturnToken = (ring: KeyRing, txid: number, token: string): boolean =>
  Object.keys(ring.keys).filter((key) => equalSecrets(token, tokenWith(ring, key, txid))).length > 0;
