import * as v from 'valibot';
import { SiteIdField } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField } from '#core/kernel/schema/field-words.ts';
import { Flag, FromTime, Ok, OneOrMore, ToTime } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { deliveryKinds } from '../../delivery/delivery-policy.ts';

const maxDays = 7;
const dayMilliseconds = 86_400_000;

/** The notifications to send again. */
export const ReplayFailed = v.pipe(
  v.object({
    sid: SiteIdField,
    kind: describeField(
      v.optional(OneOrMore(deliveryKinds)),
      'new_alert, status_update, enrollment_update, alert_deadline or postback.',
    ),
    from: describeField(FromTime, 'The beginning (inclusive).'),
    to: describeField(ToTime, 'The end.'),
    dry_run: describeField(v.optional(Flag, false), 'Whether only to say how many there are.'),
  }),
  v.forward(
    v.check(({ from, to }) => Date.parse(to) > Date.parse(from), 'must be later than from'),
    ['to'],
  ),
  v.forward(
    v.check(
      ({ from, to }) => Date.parse(to) - Date.parse(from) <= maxDays * dayMilliseconds,
      `must be at most ${maxDays} days after from`,
    ),
    ['to'],
  ),
);

export const ReplaysQueued = v.object({
  ...Ok.entries,
  matched: count('How many there are, up to 1,000.'),
  queued: count('How many of them are sent again; with `dry_run`, none.'),
});

export const replayFailedOperation = defineOperation('webhooks/replay-failed', {
  tag: 'notifications',
  summary: 'Send the failed notifications of a site again',
  description:
    'Those from a span of up to 7 days that were given up, or whose attempts have all failed so far; the newest 1,000. Each is sent ' +
    'once, soon after this call. `dry_run` only counts them.',
  method: 'POST',
  path: '/api/v3/notifications/replay-failed',
  auth: 'bearer',
  permission: 'settings:data',
  roles: ['developer', 'manager'],
  body: ReplayFailed,
  reply: ReplaysQueued,
  errors: ['site_not_found'],
  diverts: 'data',
  grants: { table: ['GetItem', 'PutItem'], indexes: ['list4f'], send: ['sweep'] },
  auditValues: { sent: { kind: 'value', from: 'value', to: 'value' } },
});
