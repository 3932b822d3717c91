import * as v from 'valibot';
import { ExpiresAtReply } from '#core/kernel/schema/field-schemas.ts';
import { text } from '#core/kernel/schema/field-words.ts';
import { defineOperation, roles } from '#core/platform/operation/operation.ts';

export const setUpFactorOperation = defineOperation('auth/set-up-factor', {
  summary: 'Start setting up a second factor',
  description:
    'For users who have none. `uri` is what an app reads from a QR code; send the first code it shows with `challenge` to session/factor ' +
    'within 5 minutes; from then on every sign-in asks for a code.',
  method: 'POST',
  path: '/api/v3/session/factor/setup',
  auth: 'bearer',
  permission: 'person',
  roles,
  fresh: true,
  body: v.object({}),
  reply: v.object({
    challenge: text('Identifies the sign-in that the code completes.'),
    expires_at: ExpiresAtReply,
    secret: text('The second factor’s key, for typing in. Shown once.'),
    uri: text('`otpauth:` address, for a QR code.'),
  }),
  errors: ['second_factor_set'],
  grants: {
    table: ['GetItem', 'PutItem'],
    secrets: ['encryption'],
  },
  audit: true,
});
