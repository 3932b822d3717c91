import { endpoint } from '../../core/http.ts';
import { getStatus } from '../operations.ts';
import { transactionByHash } from '../status-store.ts';
import { verifiedResult } from '../transaction.ts';

export const handler = endpoint(getStatus, async ({ params: { id, hash } }) => {
  const { transaction, rcode } = await transactionByHash(id, hash);
  return verifiedResult(transaction, rcode);
});
