import { endpoint } from '../../core/http.ts';
import { transactionByHash } from '../status-store.ts';
import { verifiedResult } from '../transaction.ts';
import { getStatus } from './operation.ts';

export const handler = endpoint(getStatus, async ({ params: { id, hash } }) => {
  const { transaction, rcode } = await transactionByHash(id, hash);
  return verifiedResult(transaction, rcode);
});
