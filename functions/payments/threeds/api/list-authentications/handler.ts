import { endpoint } from '#core/platform/http/http.ts';
import { authenticationsFor } from '../../authentication/authentication-list-store.ts';
import { listAuthentications } from './operation.ts';

export const handler = endpoint(listAuthentications, ({ body, caller }) => authenticationsFor(body, caller));
