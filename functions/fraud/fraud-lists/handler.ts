import { endpoint } from '../../core/http.ts';
import { toListsDto } from '../list-fields.ts';
import { readLists } from '../lists-store.ts';
import { fraudLists } from './operation.ts';

export const handler = endpoint(fraudLists, async ({ params: { sid }, caller }) =>
  toListsDto(sid, await readLists(sid, caller)),
);
