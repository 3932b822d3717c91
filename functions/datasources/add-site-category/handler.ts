import { addEntry } from '../../core/entry-store.ts';
import { endpoint } from '../../core/http.ts';
import { addSiteCategory } from './operation.ts';

export const handler = endpoint(addSiteCategory, async ({ body: { name, description = '' } }) => ({
  status: 'ok' as const,
  ...(await addEntry('sitecategory', { name, description })),
}));
