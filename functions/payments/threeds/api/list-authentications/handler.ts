import { endpoint } from '#core/platform/http/http.ts';
import { authenticationsFor } from '../../authentication/authentication-list-store.ts';
import { listAuthenticationsOperation } from './operation.ts';

export const handler = endpoint(listAuthenticationsOperation, ({ body, caller }) => authenticationsFor(body, caller));
