import { Refusal } from '../../core/errors.ts';
import { endpoint } from '../../core/http.ts';
import { readPage } from '../../core/listing-store.ts';
import { reaches } from '../../core/reach.ts';
import { type UserSummary, userEntity } from '../user-row.ts';
import { listUsers } from './operation.ts';

export const handler = endpoint(listUsers, ({ body: { mid: asked, ...page }, caller }) => {
  const mid = asked ?? caller.mid;
  if (mid !== undefined && !reaches(caller, mid)) {
    throw new Refusal('merchant_not_found', 'mid: you have no such merchant.');
  }
  const scope = mid === undefined ? ({ slot: 1, scope: 'all' } as const) : ({ slot: 2, scope: `M${mid}` } as const);
  return readPage<UserSummary>({ entity: userEntity, ...scope, ...page });
});
