import * as v from 'valibot';
import { Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation, roles } from '#core/platform/operation/operation.ts';
import { PasskeyIdField } from '../../passkeys/passkey-schemas.ts';

export const removePasskeyOperation = defineOperation({
  area: 'auth',
  name: 'remove-passkey',
  summary: 'Remove a passkey',
  description:
    'It no longer signs in. Sessions that began with it continue. The last passkey takes the recovery codes that came with it along.',
  method: 'POST',
  path: '/api/v3/session/passkey/remove',
  auth: 'bearer',
  permission: 'person',
  roles,
  fresh: true,
  body: v.object({ id: PasskeyIdField }),
  reply: Ok,
  errors: ['passkey_not_found', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem', 'DeleteItem'], partitions: ['USER', 'PASSKEY', 'AUDIT'] },
  audit: true,
});
