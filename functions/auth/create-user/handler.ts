import { endpoint } from '../../core/http.ts';
import { createPerson as create } from '../people-flow.ts';
import { createPerson } from './operation.ts';

export const handler = endpoint(createPerson, async ({ body, caller, baseUrl }) => {
  const { user, ...link } = await create(body, caller, baseUrl);
  return { status: 'ok' as const, username: user.username, ...link };
});
