import { endpoint } from '#core/platform/http/http.ts';
import { eraseCustomer } from '../../order/erase-store.ts';
import { eraseOrdersOperation } from './operation.ts';

export const handler = endpoint(eraseOrdersOperation, async ({ body, caller }) => {
  const { erased, more } = await eraseCustomer(body, caller);
  return { status: 'ok' as const, erased, more };
});
