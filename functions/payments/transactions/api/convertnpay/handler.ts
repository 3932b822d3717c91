import { nowMilliseconds } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { idempotent } from '#core/platform/idempotency/idempotency-store.ts';
import { screenOrder } from '#payments/fraud/check/screen-store.ts';
import { SignedCart } from '#payments/payments/order/signed-order.ts';
import { siteProofOf } from '#payments/payments/order/site-proof.ts';
import { convertToSite } from '#payments/pricing/rates/conversion-store.ts';
import { returnLink } from '../../payer/return-link.ts';
import { startTransaction } from '../../start/start-flow.ts';
import { convertNPayOrder } from '../../start/start-orders.ts';
import { verifiedResult } from '../../transaction/transaction.ts';
import { convertNPayOperation } from './operation.ts';

const screen = screenOrder(SignedCart);

export const handler = endpoint(
  convertNPayOperation,
  idempotent(
    convertNPayOperation,
    async ({ params, body, baseUrl, ...call }, claim) => {
      const now = nowMilliseconds();
      const proof = siteProofOf(call, body.hash, now);
      const request = convertNPayOrder({ sid: params.id, body, proof, now });
      const linkOf: Parameters<typeof startTransaction>[1] = (txid, ring) => returnLink(baseUrl, txid, ring);
      const { transaction, rcode } = await startTransaction(request, linkOf, { convert: convertToSite, claim });
      return verifiedResult(transaction, rcode);
    },
    { authenticate: screen },
  ),
  { screen },
);
