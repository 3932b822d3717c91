import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation, roles } from '#core/platform/operation/operation.ts';
import { PasskeyDto, PasskeyIdField, PasskeyNameField } from '../../passkeys/passkey-schemas.ts';

export const renamePasskeyOperation = defineOperation('auth/rename-passkey', {
  summary: 'Rename a passkey',
  description: 'Changes only the name that lists show.',
  method: 'POST',
  path: '/api/v3/session/passkey/rename',
  auth: 'bearer',
  permission: 'person',
  roles,
  body: v.object({ id: PasskeyIdField, name: PasskeyNameField }),
  reply: v.object({ ...Ok.entries, passkey: describeField(PasskeyDto, 'The passkey.') }),
  errors: ['passkey_not_found', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'] },
  audit: true,
});
