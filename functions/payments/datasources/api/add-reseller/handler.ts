import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { addEntry } from '#core/platform/entries/entry-store.ts';
import { addResellerOperation } from './operation.ts';

export const handler = auditedEndpoint(addResellerOperation, async ({ body: { name, description = '' } }) => ({
  status: 'ok' as const,
  ...(await addEntry('reseller', { name, description })),
}));
