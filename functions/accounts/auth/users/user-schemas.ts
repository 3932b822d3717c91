import * as v from 'valibot';
import { CreatedAtReply, ExpiresAtReply, MerchantIdReply } from '#core/kernel/schema/field-schemas.ts';
import { roles } from '#core/platform/operation/operation.ts';
import { UsernameReply } from '../field-schemas.ts';

export const TimeZoneReply = v.pipe(
  v.nullable(v.string()),
  v.description('The IANA time zone in which e-mails to the user state times; null: UTC.'),
);

/** `each`: one e-mail for each alert. `daily`: one a day. */
const alertEmails = ['each', 'daily'] as const;
export const AlertEmailsField = v.picklist(alertEmails, 'must be each or daily');
export const AlertEmailsReply = v.pipe(
  v.picklist(alertEmails),
  v.description('`each`: an e-mail for each alert; `daily`: one e-mail a day in place of these.'),
);

/** A user as operators, managers and developers see them. */
export const PersonDto = v.object({
  username: UsernameReply,
  name: v.pipe(v.string(), v.description('The user’s name.')),
  email: v.pipe(v.string(), v.description('The user’s e-mail address.')),
  scope: v.pipe(v.picklist(['admin', 'merchant']), v.description('What the token is for.')),
  mid: v.nullable(MerchantIdReply),
  role: v.pipe(v.nullable(v.picklist(roles)), v.description('What the user may do: analyst, developer or manager.')),
  disabled: v.pipe(v.boolean(), v.description('Whether the user may not sign in.')),
  created_at: CreatedAtReply,
  second_factor: v.pipe(v.boolean(), v.description('Whether the user has a second factor.')),
  password_set: v.pipe(v.boolean(), v.description('Whether the user has a password yet.')),
  time_zone: TimeZoneReply,
  alert_emails: AlertEmailsReply,
});

const { email, second_factor, ...shared } = PersonDto.entries;

/** A user as lists show them; analysts do not see what would help to attack an account. */
export const ListedPersonDto = v.object({
  ...shared,
  email: v.pipe(v.optional(email), v.description('The user’s e-mail address; absent for analysts.')),
  second_factor: v.pipe(v.optional(second_factor), v.description('Whether they have one; absent for analysts.')),
});

export const RoleField = v.pipe(
  v.picklist(roles, `must be one of ${roles.join(', ')}`),
  v.description('What the user may do: analyst, developer or manager.'),
);

/** A link that was made. */
export const linkFields = {
  setup_url: v.pipe(
    v.string(),
    v.description('The link to set their password. It works once, within a day, and is shown only here.'),
  ),
  expires_at: ExpiresAtReply,
  mailed: v.pipe(v.boolean(), v.description('Whether it was sent to their e-mail address too.')),
};
