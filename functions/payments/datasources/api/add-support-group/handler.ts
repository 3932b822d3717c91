import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { addEntry } from '#core/platform/entries/entry-store.ts';
import { addSupportGroupOperation } from './operation.ts';

export const handler = auditedEndpoint(addSupportGroupOperation, async ({ body: { name, description = '' } }) => ({
  status: 'ok' as const,
  ...(await addEntry('supportgroup', { name, description })),
}));
