import { endpoint } from '../../core/http.ts';
import { deleteOrder as store } from '../deletion-store.ts';
import { deleteOrder } from './operation.ts';

export const handler = endpoint(deleteOrder, async ({ params: { id }, caller }) => {
  await store(id, caller);
  return { status: 'ok' as const };
});
