import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { readCookie, readSsoCookie } from '../../sessions/cookie.ts';
import { refuseCrossSite } from '../../sessions/cross-site.ts';
import { replaceSession, sessionAnswer, sessionCookieHeader } from '../../sessions/session-store.ts';
import { finishSso } from '../../single-sign-on/sso-flow.ts';
import { finishSingleSignOnOperation } from './operation.ts';

export const handler = endpoint(
  finishSingleSignOnOperation,
  async ({ body, headers, baseUrl, sourceIp, requestId }) => {
    const secret = readSsoCookie(headers['cookie'], baseUrl);
    const opened = await finishSso({ ...body, secret }, { sourceIp, requestId });
    await replaceSession(readCookie(headers['cookie'], baseUrl), opened);
    return new WithHeaders(await sessionAnswer(opened), { 'set-cookie': await sessionCookieHeader(opened, baseUrl) });
  },
  { authenticate: async (sent) => refuseCrossSite(sent) },
);
