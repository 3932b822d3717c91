import { endpoint } from '#core/platform/http/http.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { type ApiKeySummary, apiKeyEntity } from '../../api-keys/api-key-row.ts';
import { scopeOfMerchant } from '../../users/user-scope.ts';
import { listApiKeysOperation } from './operation.ts';

export const handler = endpoint(listApiKeysOperation, ({ body: { mid, ...page }, caller }) =>
  readPage<ApiKeySummary>({ entity: apiKeyEntity, ...scopeOfMerchant(mid, caller), ...page }),
);
