import { endpoint } from '#core/platform/http/http.ts';
import { searchFor } from '../../search-results-store.ts';
import { searchOperation } from './operation.ts';

export const handler = endpoint(searchOperation, ({ body, caller }) => searchFor(body, caller));
