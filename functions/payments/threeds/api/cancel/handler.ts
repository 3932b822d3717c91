import { endpoint } from '#core/platform/http/http.ts';
import { cancelAuthentication } from '../../challenge/challenge-flow.ts';
import { cancel3dsOperation } from './operation.ts';

export const handler = endpoint(
  cancel3dsOperation,
  ({ params: { id }, body: { client_token: token, reason }, headers }) =>
    cancelAuthentication({ id, token, origin: headers['origin'] ?? '' }, reason),
);
