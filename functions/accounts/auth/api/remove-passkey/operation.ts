import * as v from 'valibot';
import { Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation, roles } from '#core/platform/operation/operation.ts';
import { PasskeyIdField } from '../../passkeys/passkey-schemas.ts';

export const removePasskeyOperation = defineOperation('auth/remove-passkey', {
  summary: 'Remove a passkey',
  description:
    'The passkey can no longer be used to sign in. Sessions that began with it continue. Removing the last passkey also removes the recovery ' +
    'codes that came with it.',
  method: 'POST',
  path: '/api/v3/session/passkey/remove',
  auth: 'bearer',
  permission: 'person',
  roles,
  fresh: true,
  body: v.object({ id: PasskeyIdField }),
  reply: Ok,
  errors: ['passkey_not_found', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem', 'DeleteItem'] },
  audit: true,
});
