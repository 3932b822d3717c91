import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import type { AuthenticationResponseJSON } from '../../passkeys/passkey-proof.ts';
import { finishPasskeySignIn } from '../../passkeys/passkey-sign-in-store.ts';
import { readCookie } from '../../sessions/cookie.ts';
import { refuseCrossSite } from '../../sessions/cross-site.ts';
import { replaceSession, sessionAnswer, sessionCookieHeader } from '../../sessions/session-store.ts';
import { finishPasskeySignInOperation } from './operation.ts';

export const handler = endpoint(
  finishPasskeySignInOperation,
  async ({ body: { id, credential }, headers, baseUrl }) => {
    const opened = await finishPasskeySignIn(id, credential as AuthenticationResponseJSON);
    await replaceSession(readCookie(headers['cookie'], baseUrl), opened);
    return new WithHeaders(await sessionAnswer(opened), { 'set-cookie': await sessionCookieHeader(opened, baseUrl) });
  },
  { authenticate: async (sent) => refuseCrossSite(sent) },
);
