import { optional } from '../../core/environment.ts';
import { endpoint, WithHeaders } from '../../core/http.ts';
import { frameHeaders, framePage as page } from '../frame-pages.ts';
import { framePage } from './operation.ts';

export const handler = endpoint(
  framePage,
  async () => new WithHeaders(page, frameHeaders(optional('ALLOW_LOOPBACK_HTTP') === 'true')),
);
