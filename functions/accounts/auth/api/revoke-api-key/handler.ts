import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { toApiKeyDto } from '../../api-keys/api-key-row.ts';
import { revokeApiKey } from '../../api-keys/api-key-store.ts';
import { revokeApiKeyOperation } from './operation.ts';

export const handler = auditedEndpoint(revokeApiKeyOperation, async ({ body: { id }, caller }) => ({
  status: 'ok' as const,
  ...toApiKeyDto(await revokeApiKey(id, caller)),
}));
