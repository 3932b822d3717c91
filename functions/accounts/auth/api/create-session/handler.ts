import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { readBrowser, readCookie } from '../../sessions/cookie.ts';
import { refuseCrossSite } from '../../sessions/cross-site.ts';
import { giveChallenge } from '../../sessions/factor-store.ts';
import { replaceSession, sessionAnswer, sessionCookieHeader, startSession } from '../../sessions/session-store.ts';
import { forgetFailures, readAttempt, releaseAttempt, userWithPassword } from '../../sessions/sign-in-store.ts';
import { hasSecondFactor } from '../../users/user.ts';
import { createSessionOperation } from './operation.ts';

export const handler = endpoint(
  createSessionOperation,
  async ({ body: { username, password }, headers, baseUrl }) => {
    const attempt = await readAttempt(username, readBrowser(headers['cookie'], baseUrl));
    const user = await userWithPassword(attempt, password);
    const mustSetUp = !hasSecondFactor(user) && optional('SECOND_FACTOR') === 'required';
    if (hasSecondFactor(user) || mustSetUp) {
      await releaseAttempt(attempt);
      const given = await giveChallenge(user, { setUp: mustSetUp });
      throw new Refusal('second_factor_needed', '', { fields: { code: 'second_factor_needed', ...given } });
    }
    await forgetFailures(attempt);
    const opened = await startSession(user);
    await replaceSession(readCookie(headers['cookie'], baseUrl), opened);
    return new WithHeaders(await sessionAnswer(opened), { 'set-cookie': await sessionCookieHeader(opened, baseUrl) });
  },
  { authenticate: async (sent) => refuseCrossSite(sent) },
);
