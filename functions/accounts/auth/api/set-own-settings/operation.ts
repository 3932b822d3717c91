import * as v from 'valibot';
import { describeField, flag, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { Ok } from '#core/kernel/schema/schema.ts';
import { Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { changesDevices, DeviceField, DevicesReply } from '../../users/device-schemas.ts';
import { isTimeZone } from '../../users/own-settings.ts';
import { AlertEmailsField, AlertEmailsReply, TimeZoneReply } from '../../users/user-schemas.ts';

export const setOwnSettingsOperation = defineOperation('auth/set-own-settings', {
  summary: 'Show or change your own settings',
  description:
    'Fields left out stay as they are, so an empty body only shows the settings. They affect the e-mails that you get, and your devices that show notifications. ' +
    'Operators get no e-mails about alerts, and cannot choose `daily` or `monthly_report`.',
  method: 'POST',
  path: '/api/v3/users',
  auth: 'bearer',
  permission: 'person',
  diverts: 'data',
  divertsIf: changesDevices,
  roles: ['analyst', 'developer', 'manager'],
  body: v.object({
    time_zone: describeField(
      v.optional(
        v.nullable(
          v.pipe(Text(60), v.check(isTimeZone, 'must be a time zone of the IANA database, such as Europe/Berlin')),
        ),
      ),
      'The IANA time zone in which e-mails to you state times, such as `Europe/Berlin`; null: UTC.',
    ),
    alert_emails: describeField(
      v.optional(AlertEmailsField),
      '`daily`: one e-mail a day, at eight in your time zone, in place of one for each new or changed alert. Warnings of deadlines, assignments and mentions still come at once.',
    ),
    monthly_report: describeField(
      v.optional(v.boolean()),
      'Whether you get the report of each month by e-mail, as a PDF, on the first day of the next.',
    ),
    device: describeField(
      v.optional(DeviceField),
      'A browser that shows notifications. `prepare` returns the `public_key` with which it subscribes at its push service, `add` stores the subscription, and `remove` forgets it. At most ten are kept; one more replaces the oldest. `add` and `remove` need a fresh sign-in.',
    ),
  }),
  reply: v.object({
    ...Ok.entries,
    time_zone: TimeZoneReply,
    alert_emails: AlertEmailsReply,
    monthly_report: flag('Whether you get the report of each month by e-mail.'),
    email: text('Where e-mails to you go; empty: nowhere.'),
    merchant: nullableText('The name of your merchant; null for operators.'),
    second_factor: describeField(
      v.nullable(v.picklist(['app', 'passkey'])),
      '`app`: a code is asked for after your password; `passkey`: only a passkey; null: you sign in with a password alone.',
    ),
    devices: DevicesReply,
  }),
  errors: ['changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem', 'DeleteItem'], secrets: ['encryption'] },
  variables: ['ALLOW_LOOPBACK_HTTP'],
  auditValues: { changed: { time_zone: 'value', alert_emails: 'value', monthly_report: 'value' } },
});
