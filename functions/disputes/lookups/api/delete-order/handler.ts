import { endpoint } from '#core/platform/http/http.ts';
import { deleteOrder as store } from '../../order/deletion-store.ts';
import { deleteOrderOperation } from './operation.ts';

export const handler = endpoint(deleteOrderOperation, async ({ params: { id }, caller }) => {
  await store(id, caller);
  return { status: 'ok' as const };
});
