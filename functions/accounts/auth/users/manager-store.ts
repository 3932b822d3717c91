import { readWhole } from '#core/platform/lists/list-index-store.ts';
import { listNameOf } from '#core/platform/lists/listing.ts';
import { type UserSummary, userEntity } from './user-row.ts';

const always = { from: '0000', to: '9999' };

/** The distinct e-mail addresses of a merchant's managers. */
export const managerAddresses = async (mid: number): Promise<string[]> => {
  const partition = { index: 'list2', partition: listNameOf(userEntity, `M${mid}`) } as const;
  const items = await readWhole(partition, always, 'ASC');
  // Every row of this list is a user's, with the summary that lists show.
  const people = items.map(({ summary }) => summary as UserSummary);
  const managers = people.filter(({ role, disabled, email }) => role === 'manager' && !disabled && email !== '');
  return [...new Set(managers.map(({ email }) => email))];
};
