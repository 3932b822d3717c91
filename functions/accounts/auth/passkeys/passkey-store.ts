import { nowIso } from '#core/kernel/clock.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { requireNew } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { newChallengeId, newSessionSecret } from '../sessions/session-secrets.ts';
import type { User } from '../users/user.ts';
import { maxPasskeys, type PasskeyChallenge, passkeyChallengeEnd, passkeyHostOf } from './passkey.ts';
import { fromPasskeyChallengeItem, toPasskeyChallengeItem } from './passkey-row.ts';

type Asked = Pick<PasskeyChallenge, 'purpose' | 'username' | 'signIn'>;

/** Gives a device a challenge to sign. `baseUrl`: where the service was called. Throws passkey_host_unsuitable. */
export const givePasskeyChallenge = async (asked: Asked, baseUrl: string): Promise<PasskeyChallenge> => {
  const host = passkeyHostOf(baseUrl);
  if (!host) throw new Refusal('passkey_host_unsuitable', 'Open the service by a host name, such as http://localhost.');
  const challenge: PasskeyChallenge = {
    id: newChallengeId(),
    challenge: newSessionSecret().secret,
    ...asked,
    ...host,
    expiresAt: passkeyChallengeEnd(nowIso()),
  };
  await putItem(toPasskeyChallengeItem(challenge), requireNew);
  return challenge;
};

export const passkeyChallengeOver = (): Refusal =>
  new Refusal('session_over', 'id: has expired or was answered. Begin again.', { fields: { code: 'session_over' } });

/** A challenge that was given for a purpose and not answered yet. Throws session_over. */
export const openPasskeyChallenge = async (
  id: string,
  purpose: PasskeyChallenge['purpose'],
): Promise<PasskeyChallenge> => {
  const challenge = fromPasskeyChallengeItem(await getItem(keys.passkeyChallenge(id)));
  if (challenge?.purpose !== purpose || nowIso() >= challenge.expiresAt) throw passkeyChallengeOver();
  return challenge;
};

/** Throws request_invalid for a user who has as many passkeys as are allowed. */
export const checkRoom = ({ passkeys }: User): void => {
  if (passkeys.length < maxPasskeys) return;
  throw new Refusal('request_invalid', `You have ${maxPasskeys} passkeys, which is the limit. Remove one first.`);
};
