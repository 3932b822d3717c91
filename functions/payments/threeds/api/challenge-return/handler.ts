import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { challengeReturned } from '../../challenge/challenge-flow.ts';
import { frameHeaders, returnPage } from '../../payer/frame-pages.ts';
import { challengeReturnOperation } from './operation.ts';

export const handler = endpoint(challengeReturnOperation, async ({ body: { cres } }) => {
  await challengeReturned(cres);
  return new WithHeaders(returnPage, frameHeaders(optional('ALLOW_LOOPBACK_HTTP') === 'true'));
});
