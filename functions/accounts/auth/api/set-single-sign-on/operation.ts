import * as v from 'valibot';
import { MidPath } from '#accounts/merchants/schemas.ts';
import { Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { SingleSignOnBody, SingleSignOnReply } from '../../single-sign-on/single-sign-on-schemas.ts';

export const setSingleSignOnOperation = defineOperation({
  area: 'auth',
  name: 'set-single-sign-on',
  summary: "Set up a merchant's identity provider",
  description:
    'OpenID Connect: authorization code with PKCE. People get a user at their first sign-in, whose role follows from their groups. The secret is ' +
    'required again with another issuer or client.',
  method: 'POST',
  path: '/api/v3/merchant/{mid}/sso',
  auth: 'bearer',
  permission: 'person',
  roles: ['manager'],
  params: MidPath,
  body: SingleSignOnBody,
  reply: v.object({ ...Ok.entries, ...SingleSignOnReply.entries }),
  errors: ['merchant_not_found'],
  grants: { table: ['GetItem', 'PutItem'], secrets: ['encryption'] },
  variables: ['ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
  diverts: 'secret',
});
