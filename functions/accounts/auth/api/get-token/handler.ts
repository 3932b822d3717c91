import { now } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { useCode } from '../../sessions/factor-store.ts';
import { forgetFailures, releaseAttempt, userWithPassword } from '../../sessions/sign-in-store.ts';
import { issueToken, tokenSeconds } from '../../tokens/token.ts';
import type { User } from '../../users/user.ts';
import { getTokenOperation } from './operation.ts';

export const handler = endpoint(getTokenOperation, async ({ body: { username, password, code } }) => {
  const user = await userWithPassword({ username }, password);
  const words = factorWords(user, code);
  if (words !== undefined) {
    await releaseAttempt({ username });
    throw new Refusal('second_factor_needed', words);
  }
  if (user.factor && code !== undefined) await useCode(user, user.factor, code);
  await forgetFailures({ username });
  const { token } = await issueToken(await keyRing('jwt'), user, now());
  return { access_token: token, token_type: 'Bearer' as const, expires_in: tokenSeconds };
});

/** Says which proof a caller has to add to the password; undefined: none. */
const factorWords = ({ factor, passkeys, isProgram }: User, code: string | undefined): string | undefined => {
  if (!factor && passkeys.length > 0) return 'This user signs in with a passkey. For a program, use an API key.';
  if (factor) return code === undefined ? 'code: is required, as this user has a second factor.' : undefined;
  return isProgram || optional('SECOND_FACTOR') !== 'required'
    ? undefined
    : 'Sign in to the dashboard first and set up a second factor. For a program, use an API key.';
};
