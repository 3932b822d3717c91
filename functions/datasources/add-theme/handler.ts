import { addEntry } from '../../core/entry-store.ts';
import { endpoint } from '../../core/http.ts';
import { addTheme } from './operation.ts';

export const handler = endpoint(addTheme, async ({ body: { name, description = '' } }) => ({
  status: 'ok' as const,
  ...(await addEntry('theme', { name, description })),
}));
