import { listEntries } from '../../core/entry-store.ts';
import { endpoint } from '../../core/http.ts';
import { listSiteCategories } from './operation.ts';

export const handler = endpoint(listSiteCategories, () => listEntries('sitecategory'));
