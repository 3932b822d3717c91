import { optional } from '../../core/environment.ts';
import { Refusal } from '../../core/errors.ts';
import { endpoint, WithHeaders } from '../../core/http.ts';
import { cookieHeader, readCookie } from '../cookie.ts';
import { refuseCrossSite } from '../cross-site.ts';
import { giveChallenge } from '../factor-store.ts';
import { replaceSession, sessionAnswer, startSession } from '../session-store.ts';
import { forgetFailures, releaseAttempt, userWithPassword } from '../sign-in-store.ts';
import { createSession } from './operation.ts';

export const handler = endpoint(
  createSession,
  async ({ body: { username, password }, headers, baseUrl }) => {
    const user = await userWithPassword(username, password);
    const mustSetUp = user.factor === null && optional('SECOND_FACTOR') === 'required';
    if (user.factor || mustSetUp) {
      await releaseAttempt(username);
      const given = await giveChallenge(user, { setUp: mustSetUp });
      throw new Refusal('second_factor_needed', '', { fields: { code: 'second_factor_needed', ...given } });
    }
    await forgetFailures(username);
    const opened = await startSession(user);
    await replaceSession(readCookie(headers['cookie'], baseUrl), opened);
    return new WithHeaders(await sessionAnswer(opened), { 'set-cookie': cookieHeader(opened.cookie, baseUrl) });
  },
  { authenticate: async (sent) => refuseCrossSite(sent) },
);
