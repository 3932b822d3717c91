import { endpoint } from '#core/platform/http/http.ts';
import { idempotent } from '#core/platform/idempotency/idempotency-store.ts';
import type { Request } from '#core/platform/operation/operation.ts';
import { captureThroughLedger, checkCaptureHash } from '../../follow-up/capture-flow.ts';
import { verifiedResult } from '../../transaction/transaction.ts';
import { flagCaptureOperation as operation } from './operation.ts';

const orderOf = ({ params, body: { parent_txid: parentTxid, amount, hash } }: Request<typeof operation>) => ({
  sid: params.id,
  parentTxid,
  amount,
  hash,
});

export const handler = endpoint(
  operation,
  idempotent(
    operation,
    async (request) => {
      // A payment has one capture, which a repetition finds without help.
      const { transaction, rcode } = await captureThroughLedger(orderOf(request));
      return verifiedResult(transaction, rcode);
    },
    { authenticate: (request) => checkCaptureHash(orderOf(request)) },
  ),
);
