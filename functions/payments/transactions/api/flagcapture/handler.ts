import { endpoint } from '#core/platform/http/http.ts';
import { captureThroughLedger } from '../../follow-up/capture-flow.ts';
import { verifiedResult } from '../../transaction/transaction.ts';
import { flagCaptureOperation } from './operation.ts';

export const handler = endpoint(
  flagCaptureOperation,
  async ({ params, body: { parent_txid: parentTxid, amount, hash } }) => {
    const { transaction, rcode } = await captureThroughLedger({ sid: params.id, parentTxid, amount, hash });
    return verifiedResult(transaction, rcode);
  },
);
