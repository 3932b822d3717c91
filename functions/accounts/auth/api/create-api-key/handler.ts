import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { toApiKeyDto } from '../../api-keys/api-key-row.ts';
import { createApiKey } from '../../api-keys/api-key-store.ts';
import { createApiKeyOperation } from './operation.ts';

export const handler = auditedEndpoint(createApiKeyOperation, async ({ body, caller }) => {
  const { key, text } = await createApiKey(body, caller);
  return { status: 'ok' as const, ...toApiKeyDto(key), key: text };
});
