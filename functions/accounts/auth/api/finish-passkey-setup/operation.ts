import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation, roles } from '#core/platform/operation/operation.ts';
import {
  PasskeyChallengeIdField,
  PasskeyDto,
  PasskeyNameField,
  RegistrationCredential,
} from '../../passkeys/passkey-schemas.ts';

export const finishPasskeySetupOperation = defineOperation('auth/finish-passkey-setup', {
  summary: 'Add a passkey',
  description:
    'Afterwards, a sign-in with a password also requires a passkey or a code from an app. A user’s first second factor comes with ten recovery ' +
    'codes, which are not shown again.',
  method: 'POST',
  path: '/api/v3/session/passkey/add',
  auth: 'bearer',
  permission: 'person',
  roles,
  fresh: true,
  body: v.object({ id: PasskeyChallengeIdField, name: PasskeyNameField, credential: RegistrationCredential }),
  reply: v.object({
    ...Ok.entries,
    passkey: describeField(PasskeyDto, 'The new passkey.'),
    recovery_codes: describeField(
      v.nullable(v.array(v.string())),
      'Each can replace the second factor once. They are not shown again.',
    ),
  }),
  errors: ['session_over', 'passkey_wrong'],
  grants: { table: ['GetItem', 'PutItem', 'DeleteItem'] },
  audit: true,
});
