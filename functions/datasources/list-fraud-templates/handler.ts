import { listEntries } from '../../core/entry-store.ts';
import { endpoint } from '../../core/http.ts';
import { listFraudTemplates } from './operation.ts';

export const handler = endpoint(listFraudTemplates, () => listEntries('fraudtemplate'));
