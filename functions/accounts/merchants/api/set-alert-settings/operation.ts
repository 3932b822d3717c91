import * as v from 'valibot';
import { decimalWords, isDecimal } from '#core/kernel/money/money.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Flag, Nested, WholeNumber } from '#core/kernel/schema/schema.ts';
import { OptionalText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { settings } from '../../declarations.ts';
import { clearable, disputeActions, EmailList, tokenWords, WebhookToken } from '../../schemas.ts';
import { WebhookUrl } from '../../settings/url-schema.ts';

const Hours = WholeNumber(1, 720);

const hourFields = {
  FRAUD: describeField(v.optional(Hours), 'Hours for FRAUD.'),
  DISPUTE: describeField(v.optional(Hours), 'Hours for DISPUTE.'),
  CANCEL: describeField(v.optional(Hours), 'Hours for CANCEL.'),
};

const actionWords = `must be one of ${disputeActions.join(', ')}`;

const chatUrl = (words: string) => describeField(clearable(WebhookUrl, 'must be text'), words);

export const AlertSettingsBody = v.object({
  alertapiurl: describeField(
    clearable(WebhookUrl, 'must be text'),
    'Where new alerts are posted; https. Empty or null removes it.',
  ),
  descriptorid: describeField(OptionalText(200), 'A code of your own, returned with every alert.'),
  username: describeField(
    OptionalText(200),
    'With it and no `token`, callbacks carry it as user of Basic authentication.',
  ),
  token: describeField(
    clearable(WebhookToken, tokenWords),
    'Sent as `Authorization: Bearer` with every callback; never shown. A URL of a new origin clears it unless it is sent in the same call.',
  ),
  default_dispute_action: describeField(
    clearable(v.picklist(disputeActions, actionWords), actionWords),
    'What `alert_action` says where no rule decides.',
  ),
  max_refund_amount: describeField(
    clearable(
      v.pipe(
        v.union([v.number(), v.string()], 'must be a number'),
        v.transform(String),
        v.check(isDecimal, decimalWords),
      ),
      'must be a number',
    ),
    'The most that a rule refunds for one alert, in the site’s currency.',
  ),
  max_daily_refunds: describeField(
    clearable(WholeNumber(0, 100_000), 'must be a whole number from 0 to 100000'),
    'How many refunds rules may make on one UTC day; null: 10.',
  ),
  body_format: describeField(
    v.optional(v.picklist(['form', 'json'], 'must be form or json')),
    '`form` as by contract, or `json`: how callbacks about alerts are sent.',
  ),
  alert_triggeremail: describeField(v.optional(Flag), '1: new alerts are mailed as well.'),
  alert_email: describeField(v.optional(EmailList), 'Who gets these mails, separated by commas.'),
  shieldrdr_review_email: describeField(
    v.optional(EmailList),
    'Who gets mails about declined DISPUTE_RDR, and about what is left to people; separated by commas.',
  ),
  statusupdate_url: describeField(clearable(WebhookUrl, 'must be text'), 'Where status updates are posted; https.'),
  status_update_opt_in: describeField(
    v.optional(Flag),
    'Whether status updates are sent; set by itself with the first `statusupdate_url`.',
  ),
  status_update_statuses: v.optional(
    describeField(
      v.picklist(['named', 'all'], 'must be named or all'),
      'Of which statuses: RESOLVED, DECLINED and RDR_DELETE, or WIP, OTHER and REVOKED too.',
    ),
  ),
  enrollment_url: describeField(
    clearable(WebhookUrl, 'must be text'),
    'Where changes of enrollments are posted; https.',
  ),
  slack_webhook_url: chatUrl(
    'An incoming webhook of Slack, to which each new alert is sent. A secret: it is never shown again.',
  ),
  teams_webhook_url: chatUrl(
    'A webhook of a Teams channel, made with Workflows, to which each new alert is sent. A secret: it is never shown again.',
  ),
  deadline_warning: describeField(
    v.optional(Flag),
    'Whether `alert_deadline` is posted six hours before an answer is due.',
  ),
  deadline_hours: describeField(
    v.optional(Nested(hourFields, 'must be an object with FRAUD, DISPUTE or CANCEL')),
    'Within how many hours answers are due, by type, if that is earlier than the network wants them (24 for provider_a, 72 for provider_b). They count from the network’s own time, if it states one, else from receipt.',
  ),
});

export const setAlertSettingsOperation = defineOperation('merchants/set-alert-settings', {
  ...settings,
  permission: 'settings:data',
  siteKeys: 'named',
  summary: 'Make a site an alert site, or change its settings',
  path: '/api/v3/site/mid/{mid}/rid/{rid}/sid/{sid}/alert',
  roles: ['developer', 'manager'],
  body: AlertSettingsBody,
  grants: { table: ['GetItem', 'PutItem'], secrets: ['encryption'] },
  variables: ['ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
  diverts: 'data',
  auditValues: {
    changed: {
      ...{ alertapiurl: 'host', statusupdate_url: 'host', enrollment_url: 'host', body_format: 'value' },
      ...{ default_dispute_action: 'value', max_refund_amount: 'value', max_daily_refunds: 'value' },
      ...{ alert_triggeremail: 'value', alert_email: 'domain', shieldrdr_review_email: 'domain' },
      ...{ status_update_opt_in: 'value' },
      ...{
        deadline_warning: 'value',
        'deadline_hours.FRAUD': 'value',
        'deadline_hours.DISPUTE': 'value',
        'deadline_hours.CANCEL': 'value',
      },
    },
  },
});
