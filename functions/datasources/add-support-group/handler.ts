import { addEntry } from '../../core/entry-store.ts';
import { endpoint } from '../../core/http.ts';
import { addSupportGroup } from './operation.ts';

export const handler = endpoint(addSupportGroup, async ({ body: { name, description = '' } }) => ({
  status: 'ok' as const,
  ...(await addEntry('supportgroup', { name, description })),
}));
