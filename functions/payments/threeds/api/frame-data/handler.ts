import { endpoint } from '#core/platform/http/http.ts';
import { openFrame } from '../../payer/frame-store.ts';
import { frameDataOperation } from './operation.ts';

export const handler = endpoint(
  frameDataOperation,
  ({ params: { id }, body: { client_token: token, kind }, headers, baseUrl }) =>
    openFrame({ id, token, origin: headers['origin'] ?? '' }, kind, baseUrl),
);
