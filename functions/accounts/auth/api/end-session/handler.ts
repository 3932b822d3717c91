import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { noSessionHeader, readBrowser, readCookie } from '../../sessions/cookie.ts';
import { refuseCrossSite } from '../../sessions/cross-site.ts';
import { closeSession } from '../../sessions/session-store.ts';
import { endSessionOperation } from './operation.ts';

export const handler = endpoint(
  endSessionOperation,
  async ({ body: { everywhere }, headers, baseUrl }) => {
    await closeSession(readCookie(headers['cookie'], baseUrl), everywhere);
    const browser = readBrowser(headers['cookie'], baseUrl);
    return new WithHeaders({ status: 'ok' as const }, { 'set-cookie': noSessionHeader(browser, baseUrl) });
  },
  { authenticate: async (sent) => refuseCrossSite(sent) },
);
