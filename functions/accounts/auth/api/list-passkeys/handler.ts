import { endpoint } from '#core/platform/http/http.ts';
import { toPasskeyDto } from '../../passkeys/passkey.ts';
import { callingUser } from '../../passkeys/passkey-user-store.ts';
import { listPasskeysOperation } from './operation.ts';

export const handler = endpoint(listPasskeysOperation, async ({ caller }) => ({
  list: (await callingUser(caller)).passkeys.map(toPasskeyDto),
}));
