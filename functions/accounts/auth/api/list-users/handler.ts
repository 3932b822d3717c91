import { endpoint } from '#core/platform/http/http.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { checkMerchantAccess } from '#core/platform/operation/merchant-access.ts';
import { type UserSummary, userEntity } from '../../users/user-row.ts';
import { listUsersOperation } from './operation.ts';

export const handler = endpoint(listUsersOperation, ({ body: { mid: asked, ...page }, caller }) => {
  const mid = asked ?? caller.mid;
  checkMerchantAccess(mid, caller);
  const scope =
    mid === undefined ? ({ scopeIndex: 1, scope: 'all' } as const) : ({ scopeIndex: 2, scope: `M${mid}` } as const);
  return readPage<UserSummary>({ entity: userEntity, ...scope, ...page });
});
