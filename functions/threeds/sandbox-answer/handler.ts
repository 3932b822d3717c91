import { optional } from '../../core/environment.ts';
import { endpoint, WithHeaders } from '../../core/http.ts';
import { refusalPage } from '../../core/page.ts';
import { acsHeaders, challengePage, silentPage } from '../sandbox/sandbox-acs-pages.ts';
import { answerChallenge } from '../sandbox/sandbox-acs-store.ts';
import { sandboxAnswer } from './operation.ts';

export const handler = endpoint(
  sandboxAnswer,
  async ({ body: { creq, code, action } }) => {
    const challenge = await answerChallenge(creq, { action, code });
    const page = action === 'never' && !challenge.end ? silentPage : challengePage(challenge, creq);
    return new WithHeaders(page, acsHeaders(optional('ALLOW_LOOPBACK_HTTP') === 'true'));
  },
  { errorPage: refusalPage },
);
