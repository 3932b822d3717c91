import { endpoint } from '../../core/http.ts';
import { resendAuthentication } from '../auth-flow.ts';
import { resendAuth } from '../follow-up-operations.ts';
import { verifiedResult } from '../transaction.ts';

export const handler = endpoint(resendAuth, async ({ params: { id: txid, hash } }) => {
  const { transaction, rcode } = await resendAuthentication({ txid, hash });
  return verifiedResult(transaction, rcode);
});
