import { keys } from '../core/keys.ts';
import type { Item } from '../core/table.ts';
import type { User } from './user.ts';

export const toUserItem = (user: User): Item => ({ ...keys.user(user.username), entity: 'USER', user });

/** Reads a user back. The table holds only what toUserItem wrote. */
export const fromUserItem = (item: Item | undefined): User | undefined => item?.['user'] as User | undefined;
