import { endpoint, WithHeaders } from '../../core/http.ts';
import { noCookieHeader, readCookie } from '../cookie.ts';
import { refuseCrossSite } from '../cross-site.ts';
import { closeSession } from '../session-store.ts';
import { endSession } from './operation.ts';

export const handler = endpoint(
  endSession,
  async ({ body: { everywhere }, headers, baseUrl }) => {
    await closeSession(readCookie(headers['cookie'], baseUrl), everywhere);
    return new WithHeaders({ status: 'ok' as const }, { 'set-cookie': noCookieHeader(baseUrl) });
  },
  { authenticate: async (sent) => refuseCrossSite(sent) },
);
