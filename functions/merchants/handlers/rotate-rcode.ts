import { endpoint } from '../../core/http.ts';
import { rotateRcode } from '../operations.ts';
import { rotateRcode as store } from '../site-store.ts';

export const handler = endpoint(rotateRcode, async ({ params: { sid }, caller }) => {
  const { text, previousValidUntil } = await store(sid, caller);
  return { rcode: text, previous_valid_until: previousValidUntil };
});
