import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { fromOwnPages, ofSessions } from '../../declarations.ts';
import { Begun } from '../../passkeys/passkey-schemas.ts';

export const beginPasskeySignInOperation = defineOperation('auth/begin-passkey-sign-in', {
  ...ofSessions,
  summary: 'Begin a sign-in with a passkey',
  description:
    `${fromOwnPages} Without \`challenge\`, the passkey replaces password and second factor, and the device verifies its user. With the ` +
    '`challenge` of session/create, the passkey is the second factor. Complete the sign-in with session/passkey within 5 minutes.',
  path: '/api/v3/session/passkey/begin',
  body: v.object({
    challenge: v.optional(describeField(Text(40), 'Identifies the sign-in that the passkey completes.')),
  }),
  reply: Begun,
  errors: ['cross_site', 'passkey_host_unsuitable', 'session_over'],
  grants: { table: ['GetItem', 'PutItem'] },
});
