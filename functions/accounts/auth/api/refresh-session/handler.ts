import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { readCookie } from '../../sessions/cookie.ts';
import { refuseCrossSite } from '../../sessions/cross-site.ts';
import { exchangeSecret, sessionAnswer, sessionCookieHeader } from '../../sessions/session-store.ts';
import { refreshSessionOperation } from './operation.ts';

export const handler = endpoint(
  refreshSessionOperation,
  async ({ headers, baseUrl }) => {
    const opened = await exchangeSecret(readCookie(headers['cookie'], baseUrl));
    return new WithHeaders(await sessionAnswer(opened), { 'set-cookie': await sessionCookieHeader(opened, baseUrl) });
  },
  { authenticate: async (sent) => refuseCrossSite(sent) },
);
