import { nowMilliseconds } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { siteProofOf } from '#payments/payments/order/site-proof.ts';
import { resendAuthentication } from '../../follow-up/auth-flow.ts';
import { verifiedResult } from '../../transaction/transaction.ts';
import { resendAuthOperation } from './operation.ts';

export const handler = endpoint(resendAuthOperation, async ({ params: { id: txid, hash }, ...call }) => {
  const proof = siteProofOf(call, hash, nowMilliseconds());
  const { transaction, rcode } = await resendAuthentication({ txid, proof });
  return verifiedResult(transaction, rcode);
});
