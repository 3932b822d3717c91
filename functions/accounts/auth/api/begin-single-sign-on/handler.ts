import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { ssoCookieHeader } from '../../sessions/cookie.ts';
import { refuseCrossSite } from '../../sessions/cross-site.ts';
import { beginSso } from '../../single-sign-on/sso-flow.ts';
import { beginSingleSignOnOperation } from './operation.ts';

export const handler = endpoint(
  beginSingleSignOnOperation,
  async ({ body: { mid, fresh }, baseUrl }) => {
    const { url, secret } = await beginSso(mid ?? null, fresh, baseUrl);
    return new WithHeaders({ url }, { 'set-cookie': ssoCookieHeader(secret, baseUrl) });
  },
  { authenticate: async (sent) => refuseCrossSite(sent) },
);
