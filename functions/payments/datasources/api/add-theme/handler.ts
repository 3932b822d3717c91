import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { addEntry } from '#core/platform/entries/entry-store.ts';
import { addThemeOperation } from './operation.ts';

export const handler = auditedEndpoint(addThemeOperation, async ({ body: { name, description = '' } }) => ({
  status: 'ok' as const,
  ...(await addEntry('theme', { name, description })),
}));
