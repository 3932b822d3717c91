import { listEntries } from '#core/platform/entries/entry-store.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { listThemes } from './operation.ts';

export const handler = endpoint(listThemes, () => listEntries('theme'));
