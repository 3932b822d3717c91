import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { creationOptions, userHandleOf } from '../../passkeys/passkey.ts';
import { checkRoom, givePasskeyChallenge } from '../../passkeys/passkey-store.ts';
import { callingUser } from '../../passkeys/passkey-user-store.ts';
import { beginPasskeySetupOperation } from './operation.ts';

export const handler = auditedEndpoint(beginPasskeySetupOperation, async ({ caller, baseUrl }) => {
  const user = await callingUser(caller);
  checkRoom(user);
  const { username, passkeys: known } = user;
  const challenge = await givePasskeyChallenge({ purpose: 'register', username, signIn: null }, baseUrl);
  const options = creationOptions({ challenge, userHandle: userHandleOf(username), username, known });
  return { id: challenge.id, expires_at: challenge.expiresAt, options };
});
