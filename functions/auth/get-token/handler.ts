import { now } from '../../core/clock.ts';
import { Refusal } from '../../core/errors.ts';
import { endpoint } from '../../core/http.ts';
import { keyRing } from '../../core/secrets.ts';
import { verifyPassword } from '../password.ts';
import { attemptFailed, attemptSucceeded, beginAttempt } from '../sign-in-store.ts';
import { issueToken, tokenSeconds } from '../token.ts';
import { findUser } from '../user-store.ts';
import { getToken } from './operation.ts';

export const handler = endpoint(getToken, async ({ body: { username, password } }) => {
  await beginAttempt(username);
  const user = await findUser(username);
  // The same work and the same words whether or not there is such a user.
  const isRight = await verifyPassword(password, user?.passwordHash);
  if (!user || !isRight || user.disabled) {
    await attemptFailed(username);
    throw new Refusal('credentials_wrong');
  }
  await attemptSucceeded(username);
  const { token } = await issueToken(await keyRing('jwt'), user, now());
  return { access_token: token, token_type: 'Bearer' as const, expires_in: tokenSeconds };
});
