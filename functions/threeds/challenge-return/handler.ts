import { optional } from '../../core/environment.ts';
import { endpoint, WithHeaders } from '../../core/http.ts';
import { challengeReturned } from '../challenge-flow.ts';
import { frameHeaders, returnPage } from '../frame-pages.ts';
import { challengeReturn } from './operation.ts';

export const handler = endpoint(challengeReturn, async ({ body: { cres } }) => {
  await challengeReturned(cres);
  return new WithHeaders(returnPage, frameHeaders(optional('ALLOW_LOOPBACK_HTTP') === 'true'));
});
