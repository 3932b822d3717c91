import { endpoint } from '#core/platform/http/http.ts';
import { createAuthentication } from '../../authentication/create-store.ts';
import { create3dsOperation } from './operation.ts';

export const handler = endpoint(create3dsOperation, async ({ params: { id: sid }, body, baseUrl }) => {
  const { authentication, clientToken, expiresAt } = await createAuthentication({ sid, body });
  const sdk = `${baseUrl}/sdk/3ds`;
  return {
    authentication_id: authentication.id,
    client_token: clientToken,
    expires_at: expiresAt,
    status: authentication.status,
    sdk: { module: `${sdk}/v1.mjs`, script: `${sdk}/v1.js`, integrity: `${sdk}/integrity.json` },
  };
});
