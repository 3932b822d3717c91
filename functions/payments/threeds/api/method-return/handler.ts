import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { frameHeaders, returnPage } from '../../payer/frame-pages.ts';
import { methodReturnOperation } from './operation.ts';

export const handler = endpoint(
  methodReturnOperation,
  async () => new WithHeaders(returnPage, frameHeaders(optional('ALLOW_LOOPBACK_HTTP') === 'true')),
);
