import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { PassedOnText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { fromOwnPages, ofSessions } from '../../declarations.ts';
import { SessionAnswer } from '../../schemas.ts';

export const finishSingleSignOnOperation = defineOperation('auth/finish-single-sign-on', {
  ...ofSessions,
  summary: 'Complete a sign-in at an identity provider',
  description:
    `${fromOwnPages} Sets the cookie of a new session, as session/create does. The session is fresh for 15 minutes after the person ` +
    'authenticated at the provider, if the provider states when. Creating or linking a user and changing a role are audited, and the ' +
    'managers, or the operators, are notified.',
  path: '/api/v3/session/sso',
  body: v.object({
    state: describeField(
      PassedOnText(100, 'the identity provider'),
      '`state` from the address to which the provider redirected the browser.',
    ),
    code: describeField(PassedOnText(4096, 'the identity provider'), '`code` from the same address.'),
  }),
  reply: SessionAnswer,
  errors: ['cross_site', 'session_over', 'sso_not_found', 'sso_refused', 'sso_unavailable'],
  grants: {
    table: ['GetItem', 'PutItem', 'DeleteItem'],
    secrets: ['jwt', 'encryption', 'operator-sso'],
  },
  variables: ['ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS', 'OPERATIONS_MAIL'],
});
