import { equalSecrets, hmacSha256, type KeyRing } from '#core/kernel/crypto.ts';

/** Payers come back from a hosted page by a link that only we can have made: its token is an HMAC of the transaction's number. */

const tokenWith = (ring: KeyRing, key: string, txid: number): string =>
  hmacSha256(`return:${ring.keys[key]}`, String(txid)).slice(0, 32);

/** Where a payer of this transaction comes back to. */
export const returnLink = (baseUrl: string, txid: number, ring: KeyRing): string =>
  `${baseUrl}/return/${txid}?token=${tokenWith(ring, ring.current, txid)}`;

/** Whether a link's token is one of ours, by any key that is or was the current one. */
export const isReturnToken = (ring: KeyRing, txid: number, token: string): boolean =>
  Object.keys(ring.keys).filter((key) => equalSecrets(token, tokenWith(ring, key, txid))).length > 0;
