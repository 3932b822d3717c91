import { milliseconds } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { type Key, newRow, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { nameOfProof, type SiteProof } from './site-proof.ts';

/** The row that makes an order one payment: it is named by the order's `tid`, or by its proof if there is no `tid`. */

type Named = { sid: number; proof: SiteProof; tid: string | null };

/** Longer than a hash can be valid: its timestamp may lie a quarter of an hour to either side. */
const keptMilliseconds = 31 * milliseconds.minute;

export const orderClaimKey = ({ sid, proof, tid }: Named): Key =>
  tid === null ? keys.orderHash(sid, sha256(nameOfProof(proof))) : keys.tid(sid, sha256(tid));

/**
 * The part of a transaction that claims the name of an order for what it makes; its condition fails if the name was used.
 * `digest`: see contentDigestOf in content-digest.ts. `at`: ISO.
 */
export const orderClaimWrite = (
  order: Named,
  { txid, digest, at }: { txid: number; digest: string; at: string },
): Write =>
  newRow({
    ...orderClaimKey(order),
    ...(order.tid === null
      ? { entity: 'ORDER_CLAIM', ttl: Math.ceil((Date.parse(at) + keptMilliseconds) / milliseconds.second) }
      : { entity: 'TID' }),
    txid,
    digest,
  });
