import * as v from 'valibot';
import { describeField, text } from '#core/kernel/schema/field-words.ts';
import { Flag, Id } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { fromOwnPages, ofSessions } from '../../declarations.ts';

export const beginSingleSignOnOperation = defineOperation('auth/begin-single-sign-on', {
  ...ofSessions,
  summary: 'Begin a sign-in at an identity provider',
  description: `${fromOwnPages} Open \`url\` in the same browser, within ten minutes; a cookie binds the sign-in to it.`,
  path: '/api/v3/session/sso/begin',
  body: v.object({
    mid: v.optional(describeField(Id, 'The merchant to which the person belongs. Absent: they operate this service.')),
    fresh: describeField(
      v.optional(Flag, false),
      'True: the person has to sign in at the provider again, for what needs a fresh sign-in.',
    ),
  }),
  reply: v.object({ url: text('The address at which the person signs in.') }),
  errors: ['cross_site', 'sso_not_found', 'sso_unavailable'],
  grants: { table: ['GetItem', 'PutItem'], secrets: ['operator-sso'] },
  variables: ['ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
});
