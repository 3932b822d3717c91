import { endpoint } from '../../core/http.ts';
import { listEntries } from '../entry-store.ts';
import { listResellers } from '../operations.ts';

export const handler = endpoint(listResellers, () => listEntries('reseller'));
