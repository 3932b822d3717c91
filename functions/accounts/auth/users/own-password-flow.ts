import { Refusal } from '#core/platform/operation/errors.ts';
import { forgetFailures, userWithPassword } from '../sessions/sign-in-store.ts';
import { passwordProblem } from './user.ts';
import { changePassword } from './user-store.ts';

/** Replaces a user's password after a look at the present one. Throws too_many_attempts, request_invalid. */
export const changeOwnPassword = async (username: string, present: string, wanted: string): Promise<void> => {
  const problem = passwordProblem(wanted) ?? (wanted === present ? 'must differ from the present one' : undefined);
  if (problem) throw new Refusal('request_invalid', `password: ${problem}`);
  await userWithPassword({ username }, present).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== 'credentials_wrong') throw error;
    // The caller is signed in, so that only the password can be wrong.
    throw new Refusal('request_invalid', 'current_password: is not your present password');
  });
  await changePassword(username, wanted);
  await forgetFailures({ username });
};
