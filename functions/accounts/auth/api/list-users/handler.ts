import { endpoint } from '#core/platform/http/http.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { type UserSummary, userEntity } from '../../users/user-row.ts';
import { scopeOfMerchant } from '../../users/user-scope.ts';
import { listUsersOperation } from './operation.ts';

export const handler = endpoint(listUsersOperation, ({ body: { mid, ...page }, caller }) =>
  readPage<UserSummary>({ entity: userEntity, ...scopeOfMerchant(mid, caller), ...page }),
);
