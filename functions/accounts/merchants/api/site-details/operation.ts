import * as v from 'valibot';
import { count, describeField, flag, nullableCount, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { MailFaultsReply } from '#core/kernel/schema/mail-fault-schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import {
  disputeActions,
  NewSite,
  PaymentSettingsBody,
  SidPath,
  threeDsServiceSettings,
  threeDsSettings,
  toSiteDto,
} from '../../schemas.ts';

const AlertSettingsDto = v.object({
  alertapiurl: nullableText('Where new alerts are posted; https. Empty or null removes it.'),
  descriptorid: text('A code of your own, returned with every alert.'),
  username: text('With it and no `token`, callbacks carry it as user of Basic authentication.'),
  /** True if a token is kept; the token itself is never shown. */
  token_set: flag('Whether a token is kept.'),
  default_dispute_action: describeField(
    v.nullable(v.picklist(disputeActions)),
    'What `alert_action` says where no rule decides.',
  ),
  max_refund_amount: nullableCount('The most that a rule refunds for one alert, in the site’s currency.'),
  max_daily_refunds: nullableCount('How many refunds rules may make on one UTC day; null: 10.'),
  alert_triggeremail: count('1: new alerts are mailed as well.'),
  alert_email: text('Who gets these mails, separated by commas.'),
  shieldrdr_review_email: text(
    'Who gets mails about declined DISPUTE_RDR, and about what is left to people; separated by commas.',
  ),
  statusupdate_url: nullableText('Where status updates are posted; https.'),
  status_update_opt_in: flag('Whether status updates are sent; set by itself with the first `statusupdate_url`.'),
  status_update_statuses: describeField(v.picklist(['named', 'all']), 'Which changes of status are told.'),
  enrollment_url: nullableText('Where changes of enrollments are posted; https.'),
  slack_webhook_host: nullableText('The host of `slack_webhook_url`, which itself is never shown; null: no messages.'),
  teams_webhook_host: nullableText('The host of `teams_webhook_url`, which itself is never shown; null: no messages.'),
  deadline_warning: flag('Whether `alert_deadline` is posted six hours before an answer is due.'),
  deadline_hours: describeField(
    v.object({
      FRAUD: count('Hours for FRAUD.'),
      DISPUTE: count('Hours for DISPUTE.'),
      CANCEL: count('Hours for CANCEL.'),
    }),
    'Within how many hours answers are due, by type, if that is earlier than the network wants them (24 for provider_a, 72 for provider_b). They count from the network’s own time, if it states one, else from receipt.',
  ),
});

const PaymentSettingsDto = v.object({
  ...PaymentSettingsBody.entries,
  cbreportemail: describeField(v.optional(v.string()), 'Who is mailed about chargebacks, separated by commas.'),
  notify_email: describeField(v.optional(v.string()), 'Who is mailed about payments, separated by commas.'),
});

const ThreeDsSettingsDto = v.object({
  settings: describeField(v.object(threeDsSettings), 'The settings of the site, by its type.'),
  servicesettings: describeField(v.object(threeDsServiceSettings), 'Which 3DS server is asked, and how it is reached.'),
});

export const SiteDetails = v.object({
  ...toSiteDto,
  ...v.omit(NewSite, ['name']).entries,
  mcc: describeField(v.optional(v.string()), 'The merchant category code (ISO 18245), four digits.'),
  /** By the site's type; null while it has none. The payment settings come last: all of their fields may be absent. */
  settings: describeField(
    v.nullable(v.union([AlertSettingsDto, ThreeDsSettingsDto, PaymentSettingsDto])),
    'The settings of the site, by its type.',
  ),
  mail_faults: MailFaultsReply,
});

export const siteDetailsOperation = defineOperation('merchants/site-details', {
  summary: "Read a site's details and settings",
  description: 'Secrets among the settings are never shown.',
  method: 'POST',
  path: '/api/v3/site/{sid}/details',
  auth: 'bearer',
  permission: 'settings:read',
  siteKeys: 'named',
  params: SidPath,
  reply: SiteDetails,
  errors: ['site_not_found'],
  grants: { table: ['GetItem', 'BatchGetItem'] },
});
