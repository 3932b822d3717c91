import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { transact } from '#core/platform/table/table.ts';
import type { User } from '../users/user.ts';
import { userWrite } from '../users/user-row.ts';
import { changeUser, findUser } from '../users/user-store.ts';
import type { Passkey } from './passkey.ts';
import { passkeyKey } from './passkey-row.ts';

/** The user who calls. Throws unauthenticated if they no longer exist. */
export const callingUser = async ({ subject }: Caller): Promise<User> => {
  const user = await findUser(subject);
  if (!user) throw new Refusal('unauthenticated', 'The user no longer exists.');
  return user;
};

const ownPasskey = ({ passkeys }: User, id: string): Passkey => {
  const found = passkeys.find((one) => one.id === id);
  if (!found) throw new Refusal('passkey_not_found', 'id: you have no such passkey.');
  return found;
};

/** Renames a passkey of the caller. Throws passkey_not_found, changed_meanwhile. */
export const renamePasskey = (id: string, name: string, caller: Caller): Promise<Passkey> =>
  retryOnConflict(
    async () => {
      const user = await callingUser(caller);
      const renamed = { ...ownPasskey(user, id), name };
      await changeUser(user, { ...user, passkeys: user.passkeys.map((one) => (one.id === id ? renamed : one)) });
      return renamed;
    },
    { onExhausted: changedMeanwhile },
  );

/** Removes a passkey of the caller, and their recovery codes with the last second factor. Throws passkey_not_found, changed_meanwhile. */
export const removePasskey = (id: string, caller: Caller): Promise<void> =>
  retryOnConflict(
    async () => {
      const user = await callingUser(caller);
      ownPasskey(user, id);
      const passkeys = user.passkeys.filter((one) => one.id !== id);
      const recovery = passkeys.length > 0 ? user.recovery : [];
      await transact({
        user: userWrite(user, { ...user, passkeys, recovery }),
        owner: { Delete: { Key: passkeyKey(id) } },
      });
    },
    { onExhausted: changedMeanwhile },
  );
