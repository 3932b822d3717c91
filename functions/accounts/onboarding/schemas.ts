import * as v from 'valibot';
import { clearable, EmailList, WebAddress, WebhookToken } from '#accounts/merchants/schemas.ts';
import { WebhookUrl } from '#accounts/merchants/settings/url-schema.ts';
import { isCountry } from '#core/kernel/countries.ts';
import { ContactEmail } from '#core/kernel/schema/contact-email.ts';
import { MerchantIdField, RemarksField } from '#core/kernel/schema/field-schemas.ts';
import { AnyText, Text } from '#core/kernel/schema/text.ts';

const Country = v.pipe(
  AnyText,
  v.toUpperCase(),
  v.check(isCountry, 'must be a country code of two letters (ISO 3166), such as US'),
);
const Mcc = v.pipe(v.string('must be 4 digits'), v.regex(/^\d{4}$/, 'must be 4 digits'));

export const NewRetailerSite = v.object({
  mid: MerchantIdField,
  retailer_name: v.pipe(Text(200), v.description('The retailer’s name; no other of the merchant has it.')),
  site_name: v.pipe(Text(200), v.description('The site’s name.')),
  contact_email: v.optional(ContactEmail),
  country: v.pipe(clearable(Country, 'must be text'), v.description('ISO 3166-1, two letters.')),
  site_url: v.pipe(clearable(WebAddress, 'must be text'), v.description('The shop’s address.')),
  mcc: v.pipe(
    clearable(Mcc, 'must be 4 digits'),
    v.description('The merchant category code (ISO 18245), four digits.'),
  ),
  remarks: RemarksField,
  alert_notification_url: v.pipe(
    clearable(WebhookUrl, 'must be text'),
    v.description('Where new alerts are posted; https.'),
  ),
  token: v.pipe(
    clearable(WebhookToken, 'must be text'),
    v.description('Sent as `Authorization: Bearer` with every callback.'),
  ),
  alert_status_update_url: v.pipe(
    clearable(WebhookUrl, 'must be text'),
    v.description('Where status updates are posted; https.'),
  ),
  email_for_alert_notification: v.pipe(
    v.optional(EmailList, ''),
    v.description('Who is mailed about new alerts, separated by commas.'),
  ),
});
