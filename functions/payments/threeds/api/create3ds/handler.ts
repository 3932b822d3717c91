import { nowMilliseconds } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { idempotent } from '#core/platform/idempotency/idempotency-store.ts';
import type { Request } from '#core/platform/operation/operation.ts';
import { siteProofOf } from '#payments/payments/order/site-proof.ts';
import { checkCreator, createAuthentication } from '../../authentication/create-store.ts';
import { create3dsOperation as operation } from './operation.ts';

const toCall = ({ params: { id: sid }, body, ...call }: Request<typeof operation>) => ({
  sid,
  body,
  proof: siteProofOf(call, body.hash, nowMilliseconds()),
});

export const handler = endpoint(
  operation,
  idempotent(
    operation,
    async (request, claim) => {
      const { authentication, clientToken, expiresAt } = await createAuthentication(toCall(request), claim);
      const sdk = `${request.baseUrl}/sdk/3ds`;
      return {
        authentication_id: authentication.id,
        client_token: clientToken,
        expires_at: expiresAt,
        status: authentication.status,
        sdk: { module: `${sdk}/v1.mjs`, script: `${sdk}/v1.js`, integrity: `${sdk}/integrity.json` },
      };
    },
    { authenticate: (request) => checkCreator(toCall(request)) },
  ),
);
