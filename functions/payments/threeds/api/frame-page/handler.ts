import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { frameHeaders, framePage as page } from '../../payer/frame-pages.ts';
import { framePageOperation } from './operation.ts';

export const handler = endpoint(
  framePageOperation,
  async () => new WithHeaders(page, frameHeaders(optional('ALLOW_LOOPBACK_HTTP') === 'true')),
);
