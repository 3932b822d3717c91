import { auditedEndpoint } from '../../core/audit-store.ts';
import { addEntry } from '../../core/entry-store.ts';
import { addReseller } from './operation.ts';

export const handler = auditedEndpoint(addReseller, async ({ body: { name, description = '' } }) => ({
  status: 'ok' as const,
  ...(await addEntry('reseller', { name, description })),
}));
