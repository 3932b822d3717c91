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
  alertapiurl: v.nullable(v.string()),
  descriptorid: v.string(),
  username: v.string(),
  /** Whether a token is kept; the token itself is never shown. */
  token_set: v.boolean(),
  default_dispute_action: v.nullable(v.picklist(disputeActions)),
  max_refund_amount: v.nullable(v.number()),
  max_daily_refunds: v.pipe(
    v.nullable(v.number()),
    v.description('How many refunds rules may make on one UTC day; null: 10.'),
  ),
  alert_triggeremail: v.number(),
  alert_email: v.string(),
  shieldrdr_review_email: v.string(),
  statusupdate_url: v.nullable(v.string()),
  status_update_opt_in: v.boolean(),
  status_update_statuses: v.picklist(['named', 'all']),
  enrollment_url: v.nullable(v.string()),
  slack_webhook_host: v.pipe(
    v.nullable(v.string()),
    v.description('The host of `slack_webhook_url`, which itself is never shown; null: no messages.'),
  ),
  teams_webhook_host: v.pipe(
    v.nullable(v.string()),
    v.description('The host of `teams_webhook_url`, which itself is never shown; null: no messages.'),
  ),
  deadline_warning: v.boolean(),
  deadline_hours: v.object({ FRAUD: v.number(), DISPUTE: v.number(), CANCEL: v.number() }),
});

const PaymentSettingsDto = v.object({
  ...PaymentSettingsBody.entries,
  cbreportemail: v.optional(v.string()),
  notify_email: v.optional(v.string()),
});

const ThreeDsSettingsDto = v.object({
  settings: v.object(threeDsSettings),
  servicesettings: v.object(threeDsServiceSettings),
});

export const SiteDetails = v.object({
  ...toSiteDto,
  ...v.omit(NewSite, ['name']).entries,
  mcc: v.optional(v.string()),
  /** By the site's type; null while it has none. The payment settings come last: all of theirs may be absent. */
  settings: v.nullable(v.union([AlertSettingsDto, ThreeDsSettingsDto, PaymentSettingsDto])),
});

export const siteDetails = defineOperation({
  area: 'merchants',
  name: 'site-details',
  summary: "Read a site's details and settings",
  description: 'Secrets among the settings are never shown.',
  method: 'POST',
  path: '/api/v3/site/{sid}/details',
  auth: 'bearer',
  params: SidPath,
  reply: SiteDetails,
  errors: ['site_not_found'],
  grants: { table: ['GetItem'], partitions: ['SITE'] },
});
