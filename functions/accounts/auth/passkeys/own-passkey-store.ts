import { nowIso } from '#core/kernel/clock.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { tryTransact } from '#core/platform/table/table.ts';
import { recoveryDigest } from '../sessions/factor.ts';
import { newRecoveryCodes } from '../sessions/session-secrets.ts';
import type { User } from '../users/user.ts';
import { userWrite } from '../users/user-row.ts';
import type { Passkey } from './passkey.ts';
import type { RegistrationResponseJSON } from './passkey-proof.ts';
import { registeredCredential } from './passkey-proof.ts';
import { passkeyChallengeUse, passkeyOwnerWrite } from './passkey-row.ts';
import { checkRoom, openPasskeyChallenge, passkeyChallengeOver } from './passkey-store.ts';
import { callingUser } from './passkey-user-store.ts';

type Registered = { passkey: Passkey; recoveryCodes: readonly string[] | null };

/**
 * Adds the passkey that the caller's device has made. The first second factor of a user comes with recovery codes, which are shown only this
 * once. Throws session_over, passkey_wrong.
 */
export const addPasskey = async (
  { id, name, credential }: { id: string; name: string; credential: RegistrationResponseJSON },
  caller: Caller,
): Promise<Registered> => {
  const challenge = await openPasskeyChallenge(id, 'register');
  const user = await callingUser(caller);
  if (challenge.username !== user.username) throw passkeyChallengeOver();
  const made = await registeredCredential(challenge, credential);
  if (!made) throw new Refusal('passkey_wrong', 'credential: does not match the options of this setup. Begin again.');
  const { rpId } = challenge;
  const transports = credential.response.transports ?? [];
  const passkey: Passkey = { ...made, name, rpId, transports, createdAt: nowIso(), lastUsedAt: null };
  const recoveryCodes = user.factor || user.recovery.length > 0 ? null : newRecoveryCodes();
  const conflict = await tryTransact({
    user: userWrite(user, withPasskey(user, passkey, recoveryCodes)),
    challenge: passkeyChallengeUse(id),
    owner: passkeyOwnerWrite(made.id, user.username),
  });
  if (conflict) throw passkeyChallengeOver();
  return { passkey, recoveryCodes };
};

const withPasskey = (user: User, passkey: Passkey, codes: readonly string[] | null): User => {
  checkRoom(user);
  return {
    ...user,
    passkeys: [...user.passkeys, passkey],
    isProgram: false,
    ...(codes && { recovery: codes.map(recoveryDigest) }),
  };
};
