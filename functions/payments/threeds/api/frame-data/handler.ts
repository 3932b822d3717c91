import { endpoint } from '#core/platform/http/http.ts';
import { frameOf } from '../../payer/frame-store.ts';
import { frameData } from './operation.ts';

export const handler = endpoint(
  frameData,
  ({ params: { id }, body: { client_token: token, kind }, headers, baseUrl }) =>
    frameOf({ id, token, origin: headers['origin'] ?? '' }, kind, baseUrl),
);
