import { optional } from '../../core/environment.ts';
import { endpoint, WithHeaders } from '../../core/http.ts';
import { frameHeaders, returnPage } from '../frame-pages.ts';
import { methodReturn } from './operation.ts';

export const handler = endpoint(
  methodReturn,
  async () => new WithHeaders(returnPage, frameHeaders(optional('ALLOW_LOOPBACK_HTTP') === 'true')),
);
