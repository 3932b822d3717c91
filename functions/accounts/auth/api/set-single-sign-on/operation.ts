import * as v from 'valibot';
import { MidPath } from '#accounts/merchants/schemas.ts';
import { Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { SingleSignOnBody, SingleSignOnReply } from '../../single-sign-on/single-sign-on-schemas.ts';

export const setSingleSignOnOperation = defineOperation('auth/set-single-sign-on', {
  summary: "Set up a merchant's identity provider",
  description:
    'People sign in by OpenID Connect, with an authorization code and PKCE. The first sign-in of a person creates a user, whose role follows ' +
    'from the person’s groups. If the issuer or the client changes, the secret is required again.',
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
  auditValues: {
    changed: {
      ...{ issuer: 'host', domains: 'value', link_by_email: 'value', 'role_values.*': 'count' },
      default_role: 'value',
      enabled: 'value',
    },
  },
});
