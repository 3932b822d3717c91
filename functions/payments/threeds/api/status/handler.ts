import { endpoint } from '#core/platform/http/http.ts';
import { statusOf } from '../../challenge/challenge-flow.ts';
import { status3ds } from './operation.ts';

export const handler = endpoint(status3ds, ({ params: { id }, body: { client_token: token }, headers }) =>
  statusOf({ id, token, origin: headers['origin'] ?? '' }),
);
