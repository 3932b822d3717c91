import * as v from 'valibot';
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
  alertapiurl: v.pipe(
    v.nullable(v.string()),
    v.description('Where new alerts are posted; https. Empty or null removes it.'),
  ),
  descriptorid: v.pipe(v.string(), v.description('A code of your own, returned with every alert.')),
  username: v.pipe(
    v.string(),
    v.description('With it and no `token`, callbacks carry it as user of Basic authentication.'),
  ),
  /** True if a token is kept; the token itself is never shown. */
  token_set: v.pipe(v.boolean(), v.description('Whether a token is kept.')),
  default_dispute_action: v.pipe(
    v.nullable(v.picklist(disputeActions)),
    v.description('What `alert_action` says where no rule decides.'),
  ),
  max_refund_amount: v.pipe(
    v.nullable(v.number()),
    v.description('The most that a rule refunds for one alert, in the site’s currency.'),
  ),
  max_daily_refunds: v.pipe(
    v.nullable(v.number()),
    v.description('How many refunds rules may make on one UTC day; null: 10.'),
  ),
  alert_triggeremail: v.pipe(v.number(), v.description('1: new alerts are mailed as well.')),
  alert_email: v.pipe(v.string(), v.description('Who gets these mails, separated by commas.')),
  shieldrdr_review_email: v.pipe(
    v.string(),
    v.description('Who gets mails about declined DISPUTE_RDR, and about what is left to people; separated by commas.'),
  ),
  statusupdate_url: v.pipe(v.nullable(v.string()), v.description('Where status updates are posted; https.')),
  status_update_opt_in: v.pipe(
    v.boolean(),
    v.description('Whether status updates are sent; set by itself with the first `statusupdate_url`.'),
  ),
  status_update_statuses: v.pipe(v.picklist(['named', 'all']), v.description('Which changes of status are told.')),
  enrollment_url: v.pipe(v.nullable(v.string()), v.description('Where changes of enrollments are posted; https.')),
  slack_webhook_host: v.pipe(
    v.nullable(v.string()),
    v.description('The host of `slack_webhook_url`, which itself is never shown; null: no messages.'),
  ),
  teams_webhook_host: v.pipe(
    v.nullable(v.string()),
    v.description('The host of `teams_webhook_url`, which itself is never shown; null: no messages.'),
  ),
  deadline_warning: v.pipe(
    v.boolean(),
    v.description('Whether `alert_deadline` is posted six hours before an answer is due.'),
  ),
  deadline_hours: v.pipe(
    v.object({
      FRAUD: v.pipe(v.number(), v.description('Hours for FRAUD.')),
      DISPUTE: v.pipe(v.number(), v.description('Hours for DISPUTE.')),
      CANCEL: v.pipe(v.number(), v.description('Hours for CANCEL.')),
    }),
    v.description(
      'Within how many hours answers are due, by type, if that is earlier than the network wants them (24 for provider_a, 72 for provider_b). They count from the network’s own time, if it states one, else from receipt.',
    ),
  ),
});

const PaymentSettingsDto = v.object({
  ...PaymentSettingsBody.entries,
  cbreportemail: v.pipe(v.optional(v.string()), v.description('Who is mailed about chargebacks, separated by commas.')),
  notify_email: v.pipe(v.optional(v.string()), v.description('Who is mailed about payments, separated by commas.')),
});

const ThreeDsSettingsDto = v.object({
  settings: v.pipe(v.object(threeDsSettings), v.description('The settings of the site, by its type.')),
  servicesettings: v.pipe(
    v.object(threeDsServiceSettings),
    v.description('Which 3DS server is asked, and how it is reached.'),
  ),
});

export const SiteDetails = v.object({
  ...toSiteDto,
  ...v.omit(NewSite, ['name']).entries,
  mcc: v.pipe(v.optional(v.string()), v.description('The merchant category code (ISO 18245), four digits.')),
  /** By the site's type; null while it has none. The payment settings come last: all of their fields may be absent. */
  settings: v.pipe(
    v.nullable(v.union([AlertSettingsDto, ThreeDsSettingsDto, PaymentSettingsDto])),
    v.description('The settings of the site, by its type.'),
  ),
});

export const siteDetailsOperation = defineOperation({
  area: 'merchants',
  name: 'site-details',
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
  grants: { table: ['GetItem'] },
});
