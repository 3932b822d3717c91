import { isDeepStrictEqual } from 'node:util';
import { nowIso } from '#core/kernel/clock.ts';
import type { Role } from '#core/platform/operation/operation.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { requireNew } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { ConditionFailedError, getItem, putItem, transact } from '#core/platform/table/table.ts';
import { hashPassword } from './password.ts';
import {
  nameProblem,
  newUser,
  newUserProblem,
  passwordProblem,
  plainUsername,
  type User,
  UserInputError,
  type UserScope,
} from './user.ts';
import { fromUserItem, toUserItem, userWrite } from './user-row.ts';

export type NewUser = {
  username: string;
  password: string;
  scope: UserScope;
  mid?: number;
  /** Of a merchant's user; default: manager. */
  role?: Role;
  name?: string;
  /** Default: a person. */
  isProgram?: boolean;
};

/** Makes a user. Throws UserInputError if the name is taken, or if the name, the password or the mid is invalid. */
export const createUser = async ({
  username,
  password,
  scope,
  mid,
  role,
  name = '',
  isProgram,
}: NewUser): Promise<User> => {
  const problem = newUserProblem(username, scope, mid ?? null) ?? nameProblem(name) ?? passwordProblem(password);
  if (problem) throw new UserInputError(problem);
  const kind = isProgram === undefined ? {} : { isProgram };
  const user = newUser({ username, scope, mid: mid ?? null, role: role ?? null, name, email: '', ...kind }, nowIso());
  const made = { ...user, passwordHash: await hashPassword(password) };
  if (!(await isNew(made))) throw new UserInputError(`The username ${made.username} is taken.`);
  return made;
};

/** Writes a new user; false if the name is taken. */
export const isNew = async (user: User): Promise<boolean> => {
  try {
    await putItem(toUserItem(user), requireNew);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    // Equal in everything: an earlier attempt of this same call succeeded, and its reply was lost.
    return isDeepStrictEqual(fromUserItem(error.item), user);
  }
};

/** A user by name, however spelled; undefined if there is none. */
export const findUser = async (username: string): Promise<User | undefined> =>
  fromUserItem(await getItem(keys.user(plainUsername(username))));

/** Gives a user another password; their existing tokens and sessions are refused from now on. */
export const changePassword = async (username: string, password: string): Promise<User> => {
  const problem = passwordProblem(password);
  if (problem) throw new UserInputError(problem);
  const passwordHash = await hashPassword(password);
  return retryChange(username, (user) => ({ ...user, ...endNow(), passwordHash }));
};

/** Disables a user, whose tokens are refused from now on, or enables them again; they then need a new token. */
export const setDisabled = async (username: string, disabled: boolean): Promise<User> =>
  retryChange(username, (user) => ({ ...user, ...(disabled && endNow()), disabled }));

/** Removes a user's second factor and passkeys and ends their sessions: they set up another at their next sign-in. */
export const resetFactor = async (username: string): Promise<User> =>
  retryChange(username, (user) => ({ ...user, factor: null, passkeys: [], recovery: [], sessionsEndedAt: nowIso() }));

/** Gives a merchant's user another role; their sessions end. */
export const setRole = async (username: string, role: Role): Promise<User> =>
  retryChange(username, (user) => {
    if (user.scope === 'admin') throw new UserInputError('An administrator has no role.');
    return { ...user, role, sessionsEndedAt: nowIso() };
  });

const endNow = () => {
  const at = nowIso();
  return { tokensValidFrom: at, sessionsEndedAt: at };
};

/** Changes an existing user, from their state at the time of the write. Throws UserInputError if there is none. */
const retryChange = (username: string, next: (user: User) => User): Promise<User> =>
  retryOnConflict(
    async () => {
      const user = await findUser(username);
      if (!user) throw new UserInputError(`There is no user ${plainUsername(username)}.`);
      return changeUser(user, next(user));
    },
    { onExhausted: () => new UserInputError(`Others keep changing user ${plainUsername(username)}; try again.`) },
  );

/** Changes a user as read. Throws ConditionFailedError if the user was changed meanwhile. */
export const changeUser = async (before: User, after: User): Promise<User> => {
  await transact({ user: userWrite(before, after) });
  return { ...after, version: before.version + 1 };
};
