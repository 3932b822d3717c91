import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { cookieHeader, readCookie, readSsoCookie } from '../../sessions/cookie.ts';
import { refuseCrossSite } from '../../sessions/cross-site.ts';
import { replaceSession, sessionAnswer } from '../../sessions/session-store.ts';
import { finishSso } from '../../single-sign-on/sso-flow.ts';
import { finishSingleSignOnOperation } from './operation.ts';

export const handler = endpoint(
  finishSingleSignOnOperation,
  async ({ body: { state, code }, headers, baseUrl }) => {
    const opened = await finishSso(state, code, readSsoCookie(headers['cookie'], baseUrl));
    await replaceSession(readCookie(headers['cookie'], baseUrl), opened);
    return new WithHeaders(await sessionAnswer(opened), { 'set-cookie': cookieHeader(opened.cookie, baseUrl) });
  },
  { authenticate: async (sent) => refuseCrossSite(sent) },
);
