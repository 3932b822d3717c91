import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { cookieHeader, readCookie } from '../../sessions/cookie.ts';
import { refuseCrossSite } from '../../sessions/cross-site.ts';
import { answerChallenge } from '../../sessions/factor-store.ts';
import { replaceSession, sessionAnswer } from '../../sessions/session-store.ts';
import { answerFactor } from './operation.ts';

export const handler = endpoint(
  answerFactor,
  async ({ body: { challenge, code }, headers, baseUrl }) => {
    const { recoveryCodes, ...opened } = await answerChallenge(challenge, code);
    await replaceSession(readCookie(headers['cookie'], baseUrl), opened);
    const answer = { ...(await sessionAnswer(opened)), recovery_codes: recoveryCodes && [...recoveryCodes] };
    return new WithHeaders(answer, { 'set-cookie': cookieHeader(opened.cookie, baseUrl) });
  },
  { authenticate: async (sent) => refuseCrossSite(sent) },
);
