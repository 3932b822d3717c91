import { endpoint } from '#core/platform/http/http.ts';
import { updateOrder as store } from '../../change-store.ts';
import { updateOrderOperation } from './operation.ts';

export const handler = endpoint(updateOrderOperation, async ({ params: { id }, body, caller }) => {
  await store(id, body, caller);
  return { status: 'ok' as const, order_id: id };
});
