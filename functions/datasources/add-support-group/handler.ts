import { auditedEndpoint } from '../../core/audit-store.ts';
import { addEntry } from '../../core/entry-store.ts';
import { addSupportGroup } from './operation.ts';

export const handler = auditedEndpoint(addSupportGroup, async ({ body: { name, description = '' } }) => ({
  status: 'ok' as const,
  ...(await addEntry('supportgroup', { name, description })),
}));
