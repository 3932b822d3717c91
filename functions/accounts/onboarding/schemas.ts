import * as v from 'valibot';
import { clearable, EmailList, WebAddress, WebhookToken } from '#accounts/merchants/schemas.ts';
import { WebhookUrl } from '#accounts/merchants/settings/url-schema.ts';
import { isCountry } from '#core/kernel/countries.ts';
import { KeptText, OptionalKeptText } from '#core/kernel/schema/card-free.ts';
import { ContactEmail } from '#core/kernel/schema/contact-email.ts';
import { Id } from '#core/kernel/schema/schema.ts';

const Country = v.pipe(
  v.string('must be text'),
  v.toUpperCase(),
  v.check(isCountry, 'must be a country code of two letters (ISO 3166), such as US'),
);
const Mcc = v.pipe(v.string('must be 4 digits'), v.regex(/^\d{4}$/, 'must be 4 digits'));

export const NewRetailerSite = v.object({
  mid: Id,
  retailer_name: KeptText(200),
  site_name: KeptText(200),
  contact_email: v.optional(ContactEmail),
  country: clearable(Country, 'must be text'),
  site_url: clearable(WebAddress, 'must be text'),
  mcc: clearable(Mcc, 'must be 4 digits'),
  remarks: OptionalKeptText(2000),
  alert_notification_url: clearable(WebhookUrl, 'must be text'),
  token: clearable(WebhookToken, 'must be text'),
  alert_status_update_url: clearable(WebhookUrl, 'must be text'),
  email_for_alert_notification: v.optional(EmailList, ''),
});
