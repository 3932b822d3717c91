import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { cookieHeader, readCookie } from '../../sessions/cookie.ts';
import { refuseCrossSite } from '../../sessions/cross-site.ts';
import { answerSignInChallenge } from '../../sessions/factor-store.ts';
import { replaceSession, sessionAnswer } from '../../sessions/session-store.ts';
import { answerFactorOperation } from './operation.ts';

export const handler = endpoint(
  answerFactorOperation,
  async ({ body: { challenge, code }, headers, baseUrl }) => {
    const { recoveryCodes, ...opened } = await answerSignInChallenge(challenge, code);
    await replaceSession(readCookie(headers['cookie'], baseUrl), opened);
    const answer = { ...(await sessionAnswer(opened)), recovery_codes: recoveryCodes && [...recoveryCodes] };
    return new WithHeaders(answer, { 'set-cookie': cookieHeader(opened.cookie, baseUrl) });
  },
  { authenticate: async (sent) => refuseCrossSite(sent) },
);
