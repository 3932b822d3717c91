import { addEntry } from '../../core/entry-store.ts';
import { endpoint } from '../../core/http.ts';
import { addReseller } from './operation.ts';

export const handler = endpoint(addReseller, async ({ body: { name, description = '' } }) => ({
  status: 'ok' as const,
  ...(await addEntry('reseller', { name, description })),
}));
