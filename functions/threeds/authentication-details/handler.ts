import { endpoint } from '../../core/http.ts';
import { authenticationFor } from '../list-store.ts';
import { toKnown } from '../replies.ts';
import { authenticationDetails } from './operation.ts';

export const handler = endpoint(authenticationDetails, async ({ params: { id }, caller }) =>
  toKnown(await authenticationFor(id, caller)),
);
