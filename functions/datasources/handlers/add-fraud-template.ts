import { endpoint } from '../../core/http.ts';
import { addEntry } from '../entry-store.ts';
import { addFraudTemplate } from '../operations.ts';

export const handler = endpoint(addFraudTemplate, async ({ body: { name, description = '' } }) => ({
  status: 'ok' as const,
  ...(await addEntry('fraudtemplate', { name, description })),
}));
