import { endpoint } from '#core/platform/http/http.ts';
import { cancelAuthentication } from '../../challenge/challenge-flow.ts';
import { cancel3ds } from './operation.ts';

export const handler = endpoint(cancel3ds, ({ params: { id }, body: { client_token: token, reason }, headers }) =>
  cancelAuthentication({ id, token, origin: headers['origin'] ?? '' }, reason),
);
