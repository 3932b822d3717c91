import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { fromOwnPages, ofSessions } from '../../declarations.ts';
import { AuthenticationCredential, PasskeyChallengeIdField } from '../../passkeys/passkey-schemas.ts';
import { SessionAnswer } from '../../schemas.ts';

export const finishPasskeySignInOperation = defineOperation('auth/finish-passkey-sign-in', {
  ...ofSessions,
  summary: 'Sign in with a passkey',
  description: `${fromOwnPages} Sets the cookie of a new session, as session/create does.`,
  path: '/api/v3/session/passkey',
  body: v.object({ id: PasskeyChallengeIdField, credential: AuthenticationCredential }),
  reply: SessionAnswer,
  errors: ['cross_site', 'session_over', 'passkey_wrong'],
  grants: {
    table: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    secrets: ['jwt'],
  },
});
