import * as v from 'valibot';
import { clearable, EmailList, WebAddress, WebhookToken } from '#accounts/merchants/schemas.ts';
import { WebhookUrl } from '#accounts/merchants/settings/url-schema.ts';
import { isCountry } from '#core/kernel/countries.ts';
import { ContactEmail } from '#core/kernel/schema/contact-email.ts';
import { MerchantIdField, RemarksField } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { AnyText, Text } from '#core/kernel/schema/text.ts';

const Country = v.pipe(
  AnyText,
  v.toUpperCase(),
  v.check(isCountry, 'must be a country code of two letters (ISO 3166), such as US'),
);
const Mcc = v.pipe(v.string('must be 4 digits'), v.regex(/^\d{4}$/, 'must be 4 digits'));

export const NewRetailerSite = v.object({
  mid: MerchantIdField,
  retailer_name: describeField(Text(200), 'The retailer’s name; no other of the merchant has it.'),
  site_name: describeField(Text(200), 'The site’s name.'),
  contact_email: v.optional(ContactEmail),
  country: describeField(clearable(Country, 'must be text'), 'ISO 3166-1, two letters.'),
  site_url: describeField(clearable(WebAddress, 'must be text'), 'The shop’s address.'),
  mcc: describeField(clearable(Mcc, 'must be 4 digits'), 'The merchant category code (ISO 18245), four digits.'),
  remarks: RemarksField,
  alert_notification_url: describeField(clearable(WebhookUrl, 'must be text'), 'Where new alerts are posted; https.'),
  token: describeField(clearable(WebhookToken, 'must be text'), 'Sent as `Authorization: Bearer` with every callback.'),
  alert_status_update_url: describeField(
    clearable(WebhookUrl, 'must be text'),
    'Where status updates are posted; https.',
  ),
  email_for_alert_notification: describeField(
    v.optional(EmailList, ''),
    'Who is mailed about new alerts, separated by commas.',
  ),
});
