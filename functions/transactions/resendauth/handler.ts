import { endpoint } from '../../core/http.ts';
import { resendAuthentication } from '../auth-flow.ts';
import { verifiedResult } from '../transaction.ts';
import { resendAuth } from './operation.ts';

export const handler = endpoint(resendAuth, async ({ params: { id: txid, hash } }) => {
  const { transaction, rcode } = await resendAuthentication({ txid, hash });
  return verifiedResult(transaction, rcode);
});
