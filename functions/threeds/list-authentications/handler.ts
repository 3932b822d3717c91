import { endpoint } from '../../core/http.ts';
import { authenticationsFor } from '../list-store.ts';
import { listAuthentications } from './operation.ts';

export const handler = endpoint(listAuthentications, ({ body, caller }) => authenticationsFor(body, caller));
