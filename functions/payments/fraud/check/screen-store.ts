import type * as v from 'valibot';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { openRcodes } from '#accounts/merchants/site/site-store.ts';
import { checkProof } from '#accounts/merchants/site/site-type.ts';
import { nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { parse } from '#core/platform/http/parse.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import { orderHashes, orderHashWords } from '#payments/payments/order/hashes.ts';
import { type SignedAmount, type SignedCart, signedTotal } from '#payments/payments/order/signed-order.ts';
import {
  isSigned,
  proofTimestampProblem,
  proofWrong,
  rcodeOfProof,
  siteProofOf,
} from '#payments/payments/order/site-proof.ts';

type Call = {
  params: { id: number };
  sent: Readonly<Record<string, unknown>>;
  headers: Readonly<Record<string, string | undefined>>;
  rawBody: string;
};

/**
 * Makes sure that the caller has signed the order: before a large body is parsed, and before an idempotency key is looked up. A site
 * that does not exist is answered like a wrong hash. Throws request_invalid for the signed fields, hash_wrong, signature_invalid and
 * signature_required. One call of the table.
 */
export const screenOrder =
  (schema: typeof SignedCart | typeof SignedAmount) =>
  async ({ params: { id: sid }, sent, ...call }: Call): Promise<void> => {
    const order: v.InferOutput<typeof SignedCart> | v.InferOutput<typeof SignedAmount> = parse(schema, sent);
    const now = nowMilliseconds();
    const proof = siteProofOf(call, order.hash, now);
    // Every operation that screens is granted this call; not all are granted single reads.
    const [item] = await getItems([keys.site(sid)]);
    const site = item && fromSiteItem(item);
    const { currency } = site?.profile ?? {};
    const total = signedTotal(order, typeof currency === 'string' ? currency : undefined);
    if (Array.isArray(total)) throw new Refusal('request_invalid', total.join('; '));
    const signed = { sid, timestamp: order.timestamp ?? '', total };
    const rcode = rcodeOfProof(proof, await openRcodes(site, nowIso()), (one) => orderHashes(signed, one));
    if (!site || rcode === undefined) throw proofWrong(proof, orderHashWords(total));
    checkProof(site, { isSigned: isSigned(proof) });
    const problem = proofTimestampProblem(proof, order.timestamp, now);
    if (problem) throw new Refusal('request_invalid', `timestamp: ${problem}`);
  };
