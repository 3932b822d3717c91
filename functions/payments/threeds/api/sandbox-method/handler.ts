import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { refusalPage } from '#core/platform/http/page.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { acsHeaders, methodPage } from '../../sandbox/sandbox-acs-pages.ts';
import { checkSandbox } from '../../sandbox/sandbox-acs-store.ts';
import { fromBase64Url, isUuid } from '../../server/base64url.ts';
import { sandboxMethodOperation } from './operation.ts';

export const handler = endpoint(
  sandboxMethodOperation,
  async ({ params: { silent }, body: { threeDSMethodData }, baseUrl }) => {
    checkSandbox();
    const { threeDSServerTransID: transId, threeDSMethodNotificationURL: url } = fromBase64Url(threeDSMethodData) ?? {};
    if (!isUuid(transId)) throw new Refusal('page_not_found', 'This issuer does not understand the 3DS method data.');
    const isOurs = silent === undefined && url === `${baseUrl}/3ds/method`;
    return new WithHeaders(
      methodPage(transId, isOurs ? url : null),
      acsHeaders(optional('ALLOW_LOOPBACK_HTTP') === 'true'),
    );
  },
  { errorPage: refusalPage },
);
