import { endpoint } from '#core/platform/http/http.ts';
import { refuseCrossSite } from '../../sessions/cross-site.ts';
import { askForPassword } from '../../users/forgotten-password-store.ts';
import { askForPasswordOperation } from './operation.ts';

export const handler = endpoint(
  askForPasswordOperation,
  async ({ body, baseUrl, sourceIp, requestId }) => {
    await askForPassword({ ...body, baseUrl, sourceIp, requestId });
    return { status: 'ok' as const };
  },
  { authenticate: async (sent) => refuseCrossSite(sent) },
);
