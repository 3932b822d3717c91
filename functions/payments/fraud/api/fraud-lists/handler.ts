import { endpoint } from '#core/platform/http/http.ts';
import { toListsDto } from '../../lists/list-fields.ts';
import { readLists } from '../../lists/lists-store.ts';
import { fraudListsOperation } from './operation.ts';

export const handler = endpoint(fraudListsOperation, async ({ params: { sid }, caller }) =>
  toListsDto(sid, await readLists(sid, caller)),
);
