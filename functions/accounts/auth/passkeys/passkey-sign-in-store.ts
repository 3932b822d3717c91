import { nowIso } from '#core/kernel/clock.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, tryTransact } from '#core/platform/table/table.ts';
import { challengeIsOpen } from '../sessions/factor-store.ts';
import { newSession, type Opened } from '../sessions/session-store.ts';
import { forgetFailures } from '../sessions/sign-in-store.ts';
import type { User } from '../users/user.ts';
import { userWrite } from '../users/user-row.ts';
import { findUser } from '../users/user-store.ts';
import type { AuthenticationResponseJSON } from './passkey-proof.ts';
import { counterAfterUse } from './passkey-proof.ts';
import { fromPasskeyItem, passkeyChallengeUse, passkeyKey } from './passkey-row.ts';
import { openPasskeyChallenge, passkeyChallengeOver } from './passkey-store.ts';

const passkeyWrong = (): Refusal =>
  new Refusal('passkey_wrong', 'Use a passkey that was set up for this user and this address.', {
    fields: { code: 'passkey_wrong' },
  });

/**
 * Signs a user in with what their device has signed: one transaction uses up the challenge and begins the session. Throws session_over,
 * passkey_wrong.
 */
export const finishPasskeySignIn = async (id: string, response: AuthenticationResponseJSON): Promise<Opened> => {
  const challenge = await openPasskeyChallenge(id, 'sign-in');
  const user = await findOwner(response.id);
  if (!user || user.disabled || (challenge.username ?? user.username) !== user.username) throw passkeyWrong();
  const { signIn } = challenge;
  if (signIn !== null && !(await challengeIsOpen(signIn, user))) throw passkeyChallengeOver();
  const passkey = user.passkeys.find((one) => one.id === response.id);
  const counter = passkey && (await counterAfterUse(challenge, passkey, response));
  if (counter === undefined) throw passkeyWrong();
  const at = nowIso();
  const session = newSession(user, at);
  const conflict = await tryTransact({
    user: userWrite(user, withUse(user, response.id, counter, at)),
    challenge: passkeyChallengeUse(id),
    session: session.write,
    ...(signIn !== null && {
      signIn: { Delete: { Key: keys.challenge(signIn), ConditionExpression: 'attribute_exists(pk)' } },
    }),
  });
  if (conflict) throw passkeyChallengeOver();
  await forgetFailures({ username: user.username });
  return session;
};

const findOwner = async (id: string): Promise<User | undefined> => {
  const owner = fromPasskeyItem(await getItem(passkeyKey(id)));
  return owner && (await findUser(owner.username));
};

const withUse = (user: User, id: string, counter: number, at: string): User => ({
  ...user,
  passkeys: user.passkeys.map((one) => (one.id === id ? { ...one, counter, lastUsedAt: at } : one)),
});
