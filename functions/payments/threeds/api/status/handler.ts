import { endpoint } from '#core/platform/http/http.ts';
import { readChallengeStatus } from '../../challenge/challenge-flow.ts';
import { status3dsOperation } from './operation.ts';

export const handler = endpoint(status3dsOperation, ({ params: { id }, body: { client_token: token }, headers }) =>
  readChallengeStatus({ id, token, origin: headers['origin'] ?? '' }),
);
