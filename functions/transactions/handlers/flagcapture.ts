import { endpoint } from '../../core/http.ts';
import { captureThroughLedger } from '../capture-flow.ts';
import { flagCapture } from '../follow-up-operations.ts';
import { verifiedResult } from '../transaction.ts';

export const handler = endpoint(flagCapture, async ({ params, body: { parent_txid: parentTxid, amount, hash } }) => {
  const { transaction, rcode } = await captureThroughLedger({ sid: params.id, parentTxid, amount, hash });
  return verifiedResult(transaction, rcode);
});
