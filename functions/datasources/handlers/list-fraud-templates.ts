import { endpoint } from '../../core/http.ts';
import { listEntries } from '../entry-store.ts';
import { listFraudTemplates } from '../operations.ts';

export const handler = endpoint(listFraudTemplates, () => listEntries('fraudtemplate'));
