import { endpoint } from '../../core/http.ts';
import { listEntries } from '../entry-store.ts';
import { listSiteCategories } from '../operations.ts';

export const handler = endpoint(listSiteCategories, () => listEntries('sitecategory'));
