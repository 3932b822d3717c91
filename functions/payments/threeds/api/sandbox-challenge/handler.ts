import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { refusalPage } from '#core/platform/http/page.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { acsHeaders, challengePage } from '../../sandbox/sandbox-acs-pages.ts';
import { openChallenge } from '../../sandbox/sandbox-acs-store.ts';
import { sandboxChallengeOperation } from './operation.ts';

export const handler = endpoint(
  sandboxChallengeOperation,
  async ({ body: { creq } }) =>
    new WithHeaders(
      challengePage(await openChallenge(creq), creq),
      acsHeaders(optional('ALLOW_LOOPBACK_HTTP') === 'true'),
    ),
  { errorPage: refusalPage },
);
