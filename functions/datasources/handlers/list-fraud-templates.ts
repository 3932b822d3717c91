import { listEntries } from '../../core/entry-store.ts';
import { endpoint } from '../../core/http.ts';
import { listFraudTemplates } from '../operations.ts';

export const handler = endpoint(listFraudTemplates, () => listEntries('fraudtemplate'));
