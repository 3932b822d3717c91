import type { listUsersOperation as ListUsersOperation } from '#accounts/auth/api/list-users/operation.ts';
import { type RowOf, remote } from '../app/client.ts';
import { user } from '../app/session.ts';
import { useLoad } from '../parts/load.ts';

export const listUsers = remote<typeof ListUsersOperation>({ path: '/api/v3/users/list' });
export type Person = RowOf<typeof ListUsersOperation>;

/** So many users are read at once; more are named by their usernames only. */
const maxPeople = 100;

/** The users of a merchant who may sign in; empty until they are known. `mid`: undefined for an operator of all merchants. */
export const useColleagues = (mid: number | undefined): readonly Person[] => {
  const { data } = useLoad(mid === undefined ? null : `colleagues ${mid}`, (signal) =>
    listUsers({ body: { size: maxPeople, ...(user.value?.mid === null && mid !== undefined && { mid }) }, signal }),
  );
  return (data?.list ?? []).filter(({ disabled }) => !disabled);
};

/** Checks whether an alert may be assigned to a user. */
export const mayAnswer = ({ role }: Person): boolean => role === 'analyst' || role === 'manager';

/** The name by which a user is known: the name, or else the username. */
export const personName = (username: string, people: readonly Person[]): string =>
  people.find((one) => one.username === username)?.name || username;

/** The name in a note that means a user: without the merchant's suffix. */
export const toMention = ({ username }: Person): string => `@${username.replace(/@m\d+$/, '')}`;

/** The beginning of a name before the cursor, as in `Ask @an`; undefined if none is being typed. */
export const mentionBegun = (textBefore: string): string | undefined =>
  /(?:^|[^\w@.+-])@([a-z0-9._+-]*)$/i.exec(textBefore)?.[1]?.toLowerCase();

/** The users whom the beginning of a name may mean. */
export const suggestedFor = (begun: string, people: readonly Person[]): Person[] =>
  people.filter(({ username, name }) =>
    [username, ...name.split(' ')].some((word) => word.toLowerCase().startsWith(begun)),
  );
