import * as v from 'valibot';
import { Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation, roles } from '#core/platform/operation/operation.ts';
import {
  PasskeyChallengeIdField,
  PasskeyDto,
  PasskeyNameField,
  RegistrationCredential,
} from '../../passkeys/passkey-schemas.ts';

export const finishPasskeySetupOperation = defineOperation({
  area: 'auth',
  name: 'finish-passkey-setup',
  summary: 'Add a passkey',
  description:
    'From then on a sign-in with a password asks for it, or for a code of an app. A user’s first second factor comes with ten recovery codes, shown only ' +
    'this once.',
  method: 'POST',
  path: '/api/v3/session/passkey/add',
  auth: 'bearer',
  permission: 'person',
  roles,
  fresh: true,
  body: v.object({ id: PasskeyChallengeIdField, name: PasskeyNameField, credential: RegistrationCredential }),
  reply: v.object({
    ...Ok.entries,
    passkey: v.pipe(PasskeyDto, v.description('The new passkey.')),
    recovery_codes: v.pipe(
      v.nullable(v.array(v.string())),
      v.description('Each signs in once in place of the second factor. Shown once.'),
    ),
  }),
  errors: ['session_over', 'passkey_wrong'],
  grants: { table: ['GetItem', 'PutItem', 'DeleteItem'], partitions: ['USER', 'CHALLENGE', 'PASSKEY', 'AUDIT'] },
  audit: true,
});
