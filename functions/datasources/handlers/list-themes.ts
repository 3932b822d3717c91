import { endpoint } from '../../core/http.ts';
import { listEntries } from '../entry-store.ts';
import { listThemes } from '../operations.ts';

export const handler = endpoint(listThemes, () => listEntries('theme'));
