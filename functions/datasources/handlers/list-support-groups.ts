import { endpoint } from '../../core/http.ts';
import { listEntries } from '../entry-store.ts';
import { listSupportGroups } from '../operations.ts';

export const handler = endpoint(listSupportGroups, () => listEntries('supportgroup'));
