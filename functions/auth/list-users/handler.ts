import { Refusal } from '../../core/errors.ts';
import { endpoint } from '../../core/http.ts';
import { readPage } from '../../core/listing-store.ts';
import { canAccessMerchant } from '../../core/merchant-access.ts';
import { type UserSummary, userEntity } from '../user-row.ts';
import { listUsers } from './operation.ts';

export const handler = endpoint(listUsers, ({ body: { mid: asked, ...page }, caller }) => {
  const mid = asked ?? caller.mid;
  if (mid !== undefined && !canAccessMerchant(caller, mid)) {
    throw new Refusal('merchant_not_found', 'mid: you have no such merchant.');
  }
  const scope =
    mid === undefined ? ({ scopeIndex: 1, scope: 'all' } as const) : ({ scopeIndex: 2, scope: `M${mid}` } as const);
  return readPage<UserSummary>({ entity: userEntity, ...scope, ...page });
});
