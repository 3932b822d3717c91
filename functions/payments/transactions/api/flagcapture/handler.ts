import { nowMilliseconds } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { idempotent } from '#core/platform/idempotency/idempotency-store.ts';
import type { Request } from '#core/platform/operation/operation.ts';
import { siteProofOf } from '#payments/payments/order/site-proof.ts';
import { captureThroughLedger, checkCaptureProof } from '../../follow-up/capture-flow.ts';
import { verifiedResult } from '../../transaction/transaction.ts';
import { flagCaptureOperation as operation } from './operation.ts';

const toCapture = ({ params, body, ...call }: Request<typeof operation>) => ({
  sid: params.id,
  parentTxid: body.parent_txid,
  amount: body.amount,
  proof: siteProofOf(call, body.hash, nowMilliseconds()),
});

export const handler = endpoint(
  operation,
  idempotent(
    operation,
    async (request) => {
      // A payment has one capture, which a repetition finds without help.
      const { transaction, rcode } = await captureThroughLedger(toCapture(request));
      return verifiedResult(transaction, rcode);
    },
    { authenticate: (request) => checkCaptureProof(toCapture(request)) },
  ),
);
