import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { knownFields } from '../../authentication/authentication-dto-schemas.ts';
import { AuthenticationIdPath } from '../../schemas.ts';

export const authenticationDetailsOperation = defineOperation('threeds/authentication-details', {
  summary: 'Show the result of an authentication',
  description: 'Everything that is known about it, except the proof, which only get3ds returns.',
  method: 'POST',
  path: '/api/v3/3ds/authentication/{id}/details',
  auth: 'bearer',
  permission: 'payments:read',
  params: AuthenticationIdPath,
  reply: v.object(knownFields),
  errors: ['authentication_not_found'],
  grants: { table: ['GetItem'] },
});
