import { listEntries } from '../../core/entry-store.ts';
import { endpoint } from '../../core/http.ts';
import { listThemes } from './operation.ts';

export const handler = endpoint(listThemes, () => listEntries('theme'));
