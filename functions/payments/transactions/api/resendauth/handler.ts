import { endpoint } from '#core/platform/http/http.ts';
import { resendAuthentication } from '../../follow-up/auth-flow.ts';
import { verifiedResult } from '../../transaction/transaction.ts';
import { resendAuthOperation } from './operation.ts';

export const handler = endpoint(resendAuthOperation, async ({ params: { id: txid, hash } }) => {
  const { transaction, rcode } = await resendAuthentication({ txid, hash });
  return verifiedResult(transaction, rcode);
});
