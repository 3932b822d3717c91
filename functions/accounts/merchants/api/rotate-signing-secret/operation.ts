import * as v from 'valibot';
import { text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { rotation } from '../../declarations.ts';
import { previous } from '../../schemas.ts';

export const SigningSecretRotated = v.object({
  signing_secret: text('Signs your callbacks; `whsec_` and base64. Shown once.'),
  ...previous,
});

export const rotateSigningSecretOperation = defineOperation('merchants/rotate-signing-secret', {
  ...rotation,
  permission: 'settings:secrets',
  siteKeys: 'named',
  summary: 'Give a site a new signing secret',
  path: '/api/v3/site/{sid}/signing-secret/rotate',
  roles: ['developer', 'manager'],
  reply: SigningSecretRotated,
  grants: { table: ['GetItem', 'PutItem'], secrets: ['encryption'] },
  diverts: 'secret',
});
