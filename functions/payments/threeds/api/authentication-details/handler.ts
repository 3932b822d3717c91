import { endpoint } from '#core/platform/http/http.ts';
import { authenticationFor } from '../../authentication/authentication-list-store.ts';
import { toKnown } from '../../payer/replies.ts';
import { authenticationDetailsOperation } from './operation.ts';

export const handler = endpoint(authenticationDetailsOperation, async ({ params: { id }, caller }) =>
  toKnown(await authenticationFor(id, caller)),
);
