import { nowIso } from '../core/clock.ts';
import { keys } from '../core/keys.ts';
import { ConditionFailed, getItem, putItem, updateItem } from '../core/table.ts';
import { hashPassword } from './password.ts';
import { newUserProblem, passwordProblem, plainUsername, type User, UserMistake, type UserScope } from './user.ts';
import { fromUserItem, toUserItem } from './user-row.ts';

export type NewUser = { username: string; password: string; scope: UserScope; mid?: number };

/** Makes a user. Throws UserMistake if the name is taken, or the name, the password or the mid will not do. */
export const createUser = async ({ username, password, scope, mid }: NewUser): Promise<User> => {
  const problem = newUserProblem(username, password, scope, mid ?? null);
  if (problem) throw new UserMistake(problem);
  const at = nowIso();
  const user: User = {
    username: plainUsername(username),
    scope,
    mid: mid ?? null,
    passwordHash: await hashPassword(password),
    disabled: false,
    createdAt: at,
    tokensValidFrom: at,
  };
  await putItem(toUserItem(user), { ConditionExpression: 'attribute_not_exists(pk)' }).catch((error: unknown) => {
    // The hash has a random salt: an equal one means that an earlier try of this very call got through.
    const present = error instanceof ConditionFailed ? fromUserItem(error.items.get(0)) : undefined;
    if (!present) throw error;
    if (present.passwordHash !== user.passwordHash) throw new UserMistake(`There is a user ${user.username} already.`);
  });
  return user;
};

/** A user by name, however spelled; undefined if there is none. */
export const findUser = async (username: string): Promise<User | undefined> =>
  fromUserItem(await getItem(keys.user(plainUsername(username))));

/** Gives a user another password; tokens issued before it are refused from now on. */
export const changePassword = async (username: string, password: string): Promise<User> => {
  const problem = passwordProblem(password);
  if (problem) throw new UserMistake(problem);
  return change(username, { passwordHash: await hashPassword(password), tokensValidFrom: nowIso() });
};

/** Disables a user, whose tokens are refused from now on, or enables them again, who then needs a new token. */
export const setDisabled = async (username: string, disabled: boolean): Promise<User> =>
  change(username, disabled ? { disabled, tokensValidFrom: nowIso() } : { disabled });

const change = async (username: string, fields: Partial<User>): Promise<User> => {
  const names = Object.keys(fields);
  const changed = await updateItem({
    Key: keys.user(plainUsername(username)),
    UpdateExpression: `SET ${names.map((name) => `#user.#${name} = :${name}`).join(', ')}`,
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: {
      '#user': 'user',
      ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
    },
    ExpressionAttributeValues: Object.fromEntries(Object.entries(fields).map(([name, value]) => [`:${name}`, value])),
  }).catch((error: unknown) => {
    if (error instanceof ConditionFailed) throw new UserMistake(`There is no user ${plainUsername(username)}.`);
    throw error;
  });
  const user = fromUserItem(changed);
  if (!user) throw new Error('The table answered no user after a change');
  return user;
};
