import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { addEntry } from '#core/platform/entries/entry-store.ts';
import { addSiteCategoryOperation } from './operation.ts';

export const handler = auditedEndpoint(addSiteCategoryOperation, async ({ body: { name, description = '' } }) => ({
  status: 'ok' as const,
  ...(await addEntry('sitecategory', { name, description })),
}));
