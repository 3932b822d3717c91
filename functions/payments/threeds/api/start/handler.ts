import { endpoint } from '#core/platform/http/http.ts';
import { startAuthentication } from '../../payer/authentication-start-flow.ts';
import { start3dsOperation } from './operation.ts';

export const handler = endpoint(
  start3dsOperation,
  ({ params: { id }, body: { client_token: token, ...card }, headers, baseUrl }) =>
    startAuthentication({ id, token, origin: headers['origin'] ?? '' }, card, baseUrl),
);
