import type * as v from 'valibot';
import type { Retailer } from '#accounts/merchants/merchant/merchant.ts';
import type { AlertSettingsChange } from '#accounts/merchants/settings/settings.ts';
import type { Site } from '#accounts/merchants/site/site.ts';
import { createLetter, type Letter } from '#core/platform/mail/letter.ts';
import type { NewRetailerSite } from './schemas.ts';

export type Enrolled = v.InferOutput<typeof NewRetailerSite>;

/** The fields of the retailer and the site beyond their names. */
export const toProfiles = ({ contact_email, country, site_url, mcc, remarks }: Enrolled) => ({
  retailer: { contact_email, country: country ?? undefined, remarks },
  site: { url: site_url ?? undefined, mcc: mcc ?? undefined, remarks },
});

/** The site's settings. If there are addresses to notify, the e-mails are switched on. */
export const toAlertSettings = (body: Enrolled): AlertSettingsChange => ({
  alertapiurl: body.alert_notification_url ?? null,
  statusupdate_url: body.alert_status_update_url ?? null,
  token: body.token ?? null,
  alert_email: body.email_for_alert_notification,
  alert_triggeremail: body.email_for_alert_notification.length > 0,
});

/** The e-mail that tells operations. It contains no secret. */
export const operationsMail = ({ rid, name, merchantName, mid }: Retailer, site: Site, body: Enrolled): Letter =>
  createLetter({
    subject: `New retailer: ${name} (${merchantName})`,
    kicker: 'New retailer',
    heading: name,
    lead: 'A retailer and an alert site have been enrolled.',
    rows: [
      ['Merchant', `${merchantName} (${mid})`],
      ['Retailer', `${name} (${rid})`],
      ['Site', `${site.name} (${site.sid})`],
      ['Web address', body.site_url ?? ''],
      ['Country', body.country ?? ''],
      ['MCC', body.mcc ?? ''],
      ['Contact', body.contact_email ?? ''],
      ['Alerts go to', body.alert_notification_url ?? ''],
      ['Status updates go to', body.alert_status_update_url ?? ''],
      ['E-mails go to', body.email_for_alert_notification.join(', ')],
      ['Remarks', body.remarks ?? ''],
    ],
    link: { path: `#/settings/${site.sid}`, words: 'Open the site' },
  });
