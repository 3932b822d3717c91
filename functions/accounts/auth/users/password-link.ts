import { iso, milliseconds } from '#core/kernel/clock.ts';
import { type MailText, tableMail } from '#core/platform/mail/mail-text.ts';
import type { User } from './user.ts';

/** A link with which a new user, or one who forgot their password, sets one; works once. */
export type PasswordLink = { digest: string; username: string; expiresAt: string };

const validMilliseconds = milliseconds.day;

/** When a link made now (ISO) expires. */
export const linkEnd = (at: string): string => iso(Date.parse(at) + validMilliseconds);

/** Checks whether a link may be used at a time (ISO): not if it was made before the password last changed or the user was disabled. */
export const isLinkGood = (
  { expiresAt }: Pick<PasswordLink, 'expiresAt'>,
  { disabled, tokensValidFrom }: Pick<User, 'disabled' | 'tokensValidFrom'>,
  at: string,
): boolean => at < expiresAt && !disabled && expiresAt >= linkEnd(tokensValidFrom);

/** The address of the page that takes a new password. The part after `#` reaches no server and no log. */
export const linkUrl = (baseUrl: string, token: string): string => `${baseUrl}/dashboard#/set-password?token=${token}`;

/** The e-mail that carries it. */
export const linkMail = (
  url: string,
  { username, expiresAt }: Pick<PasswordLink, 'username' | 'expiresAt'>,
): MailText =>
  tableMail('Set your password for Forewarn', 'Open this link to set your password. It works once.', [
    ['Username', username],
    ['Link', url],
    ['Valid until', expiresAt],
  ]);
