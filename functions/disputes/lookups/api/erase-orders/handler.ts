import { endpoint } from '#core/platform/http/http.ts';
import { eraseCustomer } from '../../order/erase-store.ts';
import { eraseOrdersOperation } from './operation.ts';

export const handler = endpoint(eraseOrdersOperation, async ({ body, caller }) => {
  return { status: 'ok' as const, ...(await eraseCustomer(body, caller)) };
});
