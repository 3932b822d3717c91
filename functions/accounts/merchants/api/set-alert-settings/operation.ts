import * as v from 'valibot';
import { decimalWords, isDecimal } from '#core/kernel/money/money.ts';
import { Flag, Nested, WholeNumber } from '#core/kernel/schema/schema.ts';
import { OptionalText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { settings } from '../../declarations.ts';
import { clearable, disputeActions, EmailList, tokenWords, WebhookToken } from '../../schemas.ts';
import { WebhookUrl } from '../../settings/url-schema.ts';

const Hours = WholeNumber(1, 720);

const hourFields = {
  FRAUD: v.pipe(v.optional(Hours), v.description('Hours for FRAUD.')),
  DISPUTE: v.pipe(v.optional(Hours), v.description('Hours for DISPUTE.')),
  CANCEL: v.pipe(v.optional(Hours), v.description('Hours for CANCEL.')),
};

const actionWords = `must be one of ${disputeActions.join(', ')}`;

const chatUrl = (words: string) => v.pipe(clearable(WebhookUrl, 'must be text'), v.description(words));

export const AlertSettingsBody = v.object({
  alertapiurl: v.pipe(
    clearable(WebhookUrl, 'must be text'),
    v.description('Where new alerts are posted; https. Empty or null removes it.'),
  ),
  descriptorid: v.pipe(OptionalText(200), v.description('A code of your own, returned with every alert.')),
  username: v.pipe(
    OptionalText(200),
    v.description('With it and no `token`, callbacks carry it as user of Basic authentication.'),
  ),
  token: v.pipe(
    clearable(WebhookToken, tokenWords),
    v.description(
      'Sent as `Authorization: Bearer` with every callback; never shown. A URL of a new origin clears it unless it is sent in the same call.',
    ),
  ),
  default_dispute_action: v.pipe(
    clearable(v.picklist(disputeActions, actionWords), actionWords),
    v.description('What `alert_action` says where no rule decides.'),
  ),
  max_refund_amount: v.pipe(
    clearable(
      v.pipe(
        v.union([v.number(), v.string()], 'must be a number'),
        v.transform(String),
        v.check(isDecimal, decimalWords),
      ),
      'must be a number',
    ),
    v.description('The most that a rule refunds for one alert, in the site’s currency.'),
  ),
  max_daily_refunds: v.pipe(
    clearable(WholeNumber(0, 100_000), 'must be a whole number from 0 to 100000'),
    v.description('How many refunds rules may make on one UTC day; null: 10.'),
  ),
  body_format: v.pipe(
    v.optional(v.picklist(['form', 'json'], 'must be form or json')),
    v.description('`form` as by contract, or `json`: how callbacks about alerts are sent.'),
  ),
  alert_triggeremail: v.pipe(v.optional(Flag), v.description('1: new alerts are mailed as well.')),
  alert_email: v.pipe(v.optional(EmailList), v.description('Who gets these mails, separated by commas.')),
  shieldrdr_review_email: v.pipe(
    v.optional(EmailList),
    v.description('Who gets mails about declined DISPUTE_RDR, and about what is left to people; separated by commas.'),
  ),
  statusupdate_url: v.pipe(
    clearable(WebhookUrl, 'must be text'),
    v.description('Where status updates are posted; https.'),
  ),
  status_update_opt_in: v.pipe(
    v.optional(Flag),
    v.description('Whether status updates are sent; set by itself with the first `statusupdate_url`.'),
  ),
  status_update_statuses: v.optional(
    v.pipe(
      v.picklist(['named', 'all'], 'must be named or all'),
      v.description('Of which statuses: RESOLVED, DECLINED and RDR_DELETE, or WIP, OTHER and REVOKED too.'),
    ),
  ),
  enrollment_url: v.pipe(
    clearable(WebhookUrl, 'must be text'),
    v.description('Where changes of enrollments are posted; https.'),
  ),
  slack_webhook_url: chatUrl(
    'An incoming webhook of Slack, to which each new alert is sent. A secret: it is never shown again.',
  ),
  teams_webhook_url: chatUrl(
    'A webhook of a Teams channel, made with Workflows, to which each new alert is sent. A secret: it is never shown again.',
  ),
  deadline_warning: v.pipe(
    v.optional(Flag),
    v.description('Whether `alert_deadline` is posted six hours before an answer is due.'),
  ),
  deadline_hours: v.pipe(
    v.optional(Nested(hourFields, 'must be an object with FRAUD, DISPUTE or CANCEL')),
    v.description(
      'Within how many hours answers are due, by type, if that is earlier than the network wants them (24 for provider_a, 72 for provider_b). They count from the network’s own time, if it states one, else from receipt.',
    ),
  ),
});

export const setAlertSettingsOperation = defineOperation({
  ...settings,
  name: 'set-alert-settings',
  permission: 'settings:data',
  siteKeys: 'named',
  summary: 'Make a site an alert site, or change its settings',
  path: '/api/v3/site/mid/{mid}/rid/{rid}/sid/{sid}/alert',
  roles: ['developer', 'manager'],
  body: AlertSettingsBody,
  grants: { table: ['GetItem', 'PutItem'], secrets: ['encryption'] },
  variables: ['ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
  diverts: 'data',
});
