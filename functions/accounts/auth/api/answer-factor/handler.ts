import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { readBrowser, readCookie } from '../../sessions/cookie.ts';
import { refuseCrossSite } from '../../sessions/cross-site.ts';
import { answerSignInChallenge } from '../../sessions/factor-store.ts';
import { replaceSession, sessionAnswer, sessionCookieHeader } from '../../sessions/session-store.ts';
import { answerFactorOperation } from './operation.ts';

export const handler = endpoint(
  answerFactorOperation,
  async ({ body: { challenge, code }, headers, baseUrl }) => {
    const browser = readBrowser(headers['cookie'], baseUrl);
    const { recoveryCodes, ...opened } = await answerSignInChallenge(challenge, code, browser);
    await replaceSession(readCookie(headers['cookie'], baseUrl), opened);
    const answer = { ...(await sessionAnswer(opened)), recovery_codes: recoveryCodes && [...recoveryCodes] };
    return new WithHeaders(answer, { 'set-cookie': await sessionCookieHeader(opened, baseUrl) });
  },
  { authenticate: async (sent) => refuseCrossSite(sent) },
);
