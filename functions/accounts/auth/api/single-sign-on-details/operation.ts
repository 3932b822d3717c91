import * as v from 'valibot';
import { MidPath } from '#accounts/merchants/schemas.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { SingleSignOnReply } from '../../single-sign-on/single-sign-on-schemas.ts';

export const singleSignOnDetailsOperation = defineOperation('auth/single-sign-on-details', {
  summary: "Show a merchant's identity provider",
  description: 'The secret is not returned.',
  method: 'POST',
  path: '/api/v3/merchant/{mid}/sso/details',
  auth: 'bearer',
  permission: 'person',
  roles: ['manager'],
  params: MidPath,
  body: v.object({}),
  reply: SingleSignOnReply,
  errors: ['merchant_not_found'],
  grants: { table: ['GetItem'] },
});
