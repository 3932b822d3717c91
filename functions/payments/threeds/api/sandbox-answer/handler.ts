import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { refusalPage } from '#core/platform/http/page.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { acsHeaders, challengePage, silentPage } from '../../sandbox/sandbox-acs-pages.ts';
import { answerSandboxChallenge } from '../../sandbox/sandbox-acs-store.ts';
import { sandboxAnswerOperation } from './operation.ts';

export const handler = endpoint(
  sandboxAnswerOperation,
  async ({ body: { creq, code, action } }) => {
    const challenge = await answerSandboxChallenge(creq, { action, code });
    const page = action === 'never' && !challenge.end ? silentPage : challengePage(challenge, creq);
    return new WithHeaders(page, acsHeaders(optional('ALLOW_LOOPBACK_HTTP') === 'true'));
  },
  { errorPage: refusalPage },
);
