import * as v from 'valibot';
import { defineOperation, roles } from '#core/platform/operation/operation.ts';
import { Begun } from '../../passkeys/passkey-schemas.ts';

export const beginPasskeySetupOperation = defineOperation('auth/begin-passkey-setup', {
  summary: 'Begin to set up a passkey',
  description: 'Complete the setup with passkey/add within 5 minutes. A user can have at most ten passkeys.',
  method: 'POST',
  path: '/api/v3/session/passkey/setup',
  auth: 'bearer',
  permission: 'person',
  roles,
  fresh: true,
  body: v.object({}),
  reply: Begun,
  errors: ['passkey_host_unsuitable'],
  grants: { table: ['GetItem', 'PutItem'] },
  audit: true,
});
