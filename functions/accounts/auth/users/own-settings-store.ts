import type { Caller } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import type { User } from './user.ts';
import { changeUser, findUser } from './user-store.ts';

/** Fields left out stay as they are; null: as if never chosen. */
export type SettingsWish = { time_zone?: string | null | undefined };

const applyWish = ({ zone: before, ...user }: User, { time_zone: zone = before ?? null }: SettingsWish): User => ({
  ...user,
  ...(zone !== null && { zone }),
});

export const toSettingsDto = ({ zone }: User) => ({ time_zone: zone ?? null });

/** Changes the caller's own settings, or only reads them. Throws changed_meanwhile. */
export const setOwnSettings = (wish: SettingsWish, caller: Caller): Promise<User> =>
  retryOnConflict(
    async () => {
      const user = await findUser(caller.subject);
      if (!user) throw new Error(`The authorizer let in ${caller.subject}, who does not exist`);
      const after = applyWish(user, wish);
      const isSame = JSON.stringify(toSettingsDto(user)) === JSON.stringify(toSettingsDto(after));
      return isSame ? user : changeUser(user, after);
    },
    { onExhausted: changedMeanwhile },
  );
