import { endpoint } from '#core/platform/http/http.ts';
import { idempotent } from '#core/platform/idempotency/idempotency-store.ts';
import { checkCreator, createAuthentication } from '../../authentication/create-store.ts';
import { create3dsOperation as operation } from './operation.ts';

export const handler = endpoint(
  operation,
  idempotent(
    operation,
    async ({ params: { id: sid }, body, baseUrl }, claim) => {
      const { authentication, clientToken, expiresAt } = await createAuthentication({ sid, body }, claim);
      const sdk = `${baseUrl}/sdk/3ds`;
      return {
        authentication_id: authentication.id,
        client_token: clientToken,
        expires_at: expiresAt,
        status: authentication.status,
        sdk: { module: `${sdk}/v1.mjs`, script: `${sdk}/v1.js`, integrity: `${sdk}/integrity.json` },
      };
    },
    { authenticate: ({ params: { id: sid }, body }) => checkCreator({ sid, body }) },
  ),
);
