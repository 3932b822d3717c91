import { milliseconds } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import type { Key, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';

/** Records what an order's hash was used for: of the order's fields it signs only the amount, and must not carry another order. */

type Signed = { sid: number; hash: string };

/** Longer than a hash can be valid: its timestamp may lie a quarter of an hour to either side. */
const keptMilliseconds = 31 * milliseconds.minute;

export const orderClaimKey = ({ sid, hash }: Signed): Key => keys.orderHash(sid, sha256(hash.toLowerCase()));

/**
 * The part of a transaction that claims the hash of an order for what it makes; its condition fails if the hash was used.
 * `digest`: see digestOf in content-digest.ts. `at`: ISO.
 */
export const orderClaimWrite = (
  signed: Signed,
  { txid, digest, at }: { txid: number; digest: string; at: string },
): Write => ({
  Put: {
    Item: {
      ...orderClaimKey(signed),
      entity: 'ORDER_CLAIM',
      txid,
      digest,
      ttl: Math.ceil((Date.parse(at) + keptMilliseconds) / milliseconds.second),
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});
