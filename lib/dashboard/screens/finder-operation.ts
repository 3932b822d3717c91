import type { searchOperation as SearchOperation } from '#disputes/search/api/search/operation.ts';
import { type ReplyOf, remote } from '../app/client.ts';

export const searchEverything = remote<typeof SearchOperation>({ path: '/api/v3/search' });
export type Found = ReplyOf<typeof SearchOperation>;
