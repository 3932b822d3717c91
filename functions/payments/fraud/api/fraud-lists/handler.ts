import { endpoint } from '#core/platform/http/http.ts';
import { toListsDto } from '../../lists/list-fields.ts';
import { readLists } from '../../lists/lists-store.ts';
import { fraudLists } from './operation.ts';

export const handler = endpoint(fraudLists, async ({ params: { sid }, caller }) =>
  toListsDto(sid, await readLists(sid, caller)),
);
