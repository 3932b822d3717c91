import { listEntries } from '../../core/entry-store.ts';
import { endpoint } from '../../core/http.ts';
import { listResellers } from './operation.ts';

export const handler = endpoint(listResellers, () => listEntries('reseller'));
