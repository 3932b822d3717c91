import * as v from 'valibot';
import { defineOperation, roles } from '#core/platform/operation/operation.ts';

export const setUpFactor = defineOperation({
  area: 'auth',
  name: 'set-up-factor',
  summary: 'Start setting up a second factor',
  description:
    'For users who have none. `uri` is what an app reads from a QR code; send the first code it shows with `challenge` to session/factor ' +
    'within 5 minutes; from then on every sign-in asks for a code.',
  method: 'POST',
  path: '/api/v3/session/factor/setup',
  auth: 'bearer',
  roles,
  fresh: true,
  body: v.object({}),
  reply: v.object({ challenge: v.string(), expires_at: v.string(), secret: v.string(), uri: v.string() }),
  errors: ['second_factor_set'],
  grants: {
    table: ['GetItem', 'PutItem'],
    partitions: ['USER', 'SIGN_IN', 'CHALLENGE', 'AUDIT'],
    secrets: ['encryption'],
  },
  audit: true,
});
