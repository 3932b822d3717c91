import { sha256 } from '#core/kernel/crypto.ts';

/**
 * Our reference for an operation at processors that accept one: the txid for people, and enough of its key to distinguish our
 * stages that share an account. At most 33 characters.
 */
export const merchantReferenceOf = ({ txid, idempotencyKey }: { txid: number; idempotencyKey: string }): string =>
  `${txid}-${sha256(idempotencyKey).slice(0, 16)}`;

/** Returns the txid in such a reference; null if Forewarn did not create it. */
export const txidOfReference = (merchantReference: string): number | null => {
  const [, txid] = /^(\d{1,16})-[\da-f]{16}$/.exec(merchantReference) ?? [];
  return txid !== undefined && Number.isSafeInteger(Number(txid)) ? Number(txid) : null;
};
