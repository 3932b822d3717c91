import { listEntries } from '../../core/entry-store.ts';
import { endpoint } from '../../core/http.ts';
import { listSupportGroups } from './operation.ts';

export const handler = endpoint(listSupportGroups, () => listEntries('supportgroup'));
