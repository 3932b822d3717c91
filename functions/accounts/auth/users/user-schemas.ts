import * as v from 'valibot';
import { CreatedAtReply, ExpiresAtReply, MerchantIdReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField, flag, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { MailFaultReply } from '#core/kernel/schema/mail-fault-schema.ts';
import { roles } from '#core/platform/operation/operation.ts';
import { UsernameReply } from '../field-schemas.ts';

export const TimeZoneReply = nullableText('The IANA time zone in which e-mails to the user state times; null: UTC.');

/** `each`: one e-mail for each alert. `daily`: one a day. */
const alertEmails = ['each', 'daily'] as const;
export const AlertEmailsField = v.picklist(alertEmails, 'must be each or daily');
export const AlertEmailsReply = describeField(
  v.picklist(alertEmails),
  '`each`: an e-mail for each alert; `daily`: one e-mail a day in place of these.',
);

/** A user as operators, managers and developers see them. */
export const PersonDto = v.object({
  username: UsernameReply,
  name: text('The user’s name.'),
  email: text('The user’s e-mail address.'),
  scope: describeField(v.picklist(['admin', 'merchant']), 'What the token is for.'),
  mid: v.nullable(MerchantIdReply),
  role: describeField(v.nullable(v.picklist(roles)), 'What the user may do: analyst, developer or manager.'),
  disabled: flag('Whether the user may not sign in.'),
  created_at: CreatedAtReply,
  second_factor: flag('Whether the user has a second factor.'),
  password_set: flag('Whether the user has a password yet.'),
  time_zone: TimeZoneReply,
  alert_emails: AlertEmailsReply,
});

const { email, second_factor, ...shared } = PersonDto.entries;

/** A user as lists show them; analysts do not see what would help to attack an account. */
export const ListedPersonDto = v.object({
  ...shared,
  email: describeField(v.optional(email), 'The user’s e-mail address; absent for analysts.'),
  second_factor: describeField(v.optional(second_factor), 'Whether they have one; absent for analysts.'),
  mail_fault: v.optional(MailFaultReply),
});

export const RoleField = describeField(
  v.picklist(roles, `must be one of ${roles.join(', ')}`),
  'What the user may do: analyst, developer or manager.',
);

/** A link that was made. */
export const linkFields = {
  setup_url: text('The link to set their password. It works once, within a day, and is shown only here.'),
  expires_at: ExpiresAtReply,
  mailed: flag('Whether it was sent to their e-mail address too.'),
};
