import * as v from 'valibot';
import { decimalWords, isDecimal } from '#core/kernel/money/money.ts';
import { OptionalKeptText } from '#core/kernel/schema/card-free.ts';
import { Flag, Nested, WholeNumber } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { settings } from '../../declarations.ts';
import { clearable, disputeActions, EmailList, tokenWords, WebhookToken } from '../../schemas.ts';
import { WebhookUrl } from '../../settings/url-schema.ts';

const Hours = WholeNumber(1, 720);

const hourFields = { FRAUD: v.optional(Hours), DISPUTE: v.optional(Hours), CANCEL: v.optional(Hours) };

const actionWords = `must be one of ${disputeActions.join(', ')}`;

const chatUrl = (words: string) => v.pipe(clearable(WebhookUrl, 'must be text'), v.description(words));

export const AlertSettingsBody = v.object({
  alertapiurl: clearable(WebhookUrl, 'must be text'),
  descriptorid: OptionalKeptText(200),
  username: OptionalKeptText(200),
  token: clearable(WebhookToken, tokenWords),
  default_dispute_action: clearable(v.picklist(disputeActions, actionWords), actionWords),
  max_refund_amount: clearable(
    v.pipe(
      v.union([v.number(), v.string()], 'must be a number'),
      v.transform(String),
      v.check(isDecimal, decimalWords),
    ),
    'must be a number',
  ),
  max_daily_refunds: clearable(WholeNumber(0, 100_000), 'must be a whole number from 0 to 100000'),
  body_format: v.optional(v.picklist(['form', 'json'], 'must be form or json')),
  alert_triggeremail: v.optional(Flag),
  alert_email: v.optional(EmailList),
  shieldrdr_review_email: v.optional(EmailList),
  statusupdate_url: clearable(WebhookUrl, 'must be text'),
  status_update_opt_in: v.optional(Flag),
  status_update_statuses: v.optional(
    v.pipe(
      v.picklist(['named', 'all'], 'must be named or all'),
      v.description('Of which statuses: RESOLVED, DECLINED and RDR_DELETE, or WIP, OTHER and REVOKED too.'),
    ),
  ),
  enrollment_url: clearable(WebhookUrl, 'must be text'),
  slack_webhook_url: chatUrl(
    'An incoming webhook of Slack, to which each new alert is sent. A secret: it is never shown again.',
  ),
  teams_webhook_url: chatUrl(
    'A webhook of a Teams channel, made with Workflows, to which each new alert is sent. A secret: it is never shown again.',
  ),
  deadline_warning: v.optional(Flag),
  deadline_hours: v.optional(Nested(hourFields, 'must be an object with FRAUD, DISPUTE or CANCEL')),
});

export const setAlertSettings = defineOperation({
  ...settings,
  name: 'set-alert-settings',
  summary: 'Make a site an alert site, or change its settings',
  path: '/api/v3/site/mid/{mid}/rid/{rid}/sid/{sid}/alert',
  roles: ['developer', 'manager'],
  body: AlertSettingsBody,
  grants: { table: ['GetItem', 'PutItem'], secrets: ['encryption'] },
  variables: ['ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
  audit: true,
});
