import { endpoint } from '../../core/http.ts';
import { setPassword as set } from '../password-link-store.ts';
import { setPassword } from './operation.ts';

export const handler = endpoint(setPassword, async ({ body: { token, password } }) => {
  const { username } = await set(token, password);
  return { status: 'ok' as const, username };
});
