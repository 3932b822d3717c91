import { iso, milliseconds } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { createLetter } from '#core/platform/mail/letter.ts';
import { writeLetter } from '#core/platform/mail/letter-text.ts';
import type { MailText } from '#core/platform/mail/mail-text.ts';
import type { User } from './user.ts';

/** A link with which a new user, or one who forgot their password, sets one; works once. */
export type PasswordLink = {
  digest: string;
  username: string;
  expiresAt: string;
  /** Absent of links by which managers invite: they are made a day before they expire. */
  madeAt?: string;
  /** The digest of the address that it is mailed to; absent where the user had none, and of invitations by release 1.1.0. */
  addressDigest?: string;
};

/** The life of a link that a manager gives, and of one that a user asks for. */
export const linkLife = { given: milliseconds.day, asked: 30 * milliseconds.minute } as const;

type Addressed = Pick<User, 'username' | 'email'>;

/** A link that a manager gives, made at a time (ISO); it is mailed to the user's address, if there is one. */
export const newGivenLink = (digest: string, { username, email }: Addressed, at: string): PasswordLink => ({
  ...{ digest, username, expiresAt: iso(Date.parse(at) + linkLife.given) },
  ...(email !== '' && { addressDigest: sha256(email) }),
});

/** A link that is mailed to a user's address, made at a time (ISO). */
export const newAskedLink = (digest: string, { username, email }: Addressed, at: string): PasswordLink => ({
  ...{ digest, username, expiresAt: iso(Date.parse(at) + linkLife.asked) },
  ...{ madeAt: at, addressDigest: sha256(email) },
});

/**
 * Checks whether a link may be used at a time (ISO): not if it was made before the password last changed or the user was disabled, nor if it
 * was mailed to an address that the user no longer has.
 */
export const isLinkGood = (
  { expiresAt, madeAt, addressDigest }: Omit<PasswordLink, 'digest' | 'username'>,
  { disabled, tokensValidFrom, email }: Pick<User, 'disabled' | 'tokensValidFrom' | 'email'>,
  at: string,
): boolean =>
  at < expiresAt &&
  !disabled &&
  (madeAt ?? iso(Date.parse(expiresAt) - linkLife.given)) >= tokensValidFrom &&
  (addressDigest === undefined || addressDigest === sha256(email));

export const linkPath = (token: string): string => `#/set-password?token=${token}`;
const dashboardUrl = (baseUrl: string): string => `${baseUrl}/dashboard`;

/** The address of the page that takes a new password. The part after `#` reaches no server and no log. */
export const linkUrl = (baseUrl: string, token: string): string => `${dashboardUrl(baseUrl)}${linkPath(token)}`;

/** The e-mail that carries it, written at a time (ISO). */
export const linkMail = (
  { baseUrl, token, expiresAt }: { baseUrl: string; token: string; expiresAt: string },
  { username, zone }: Pick<User, 'username' | 'zone'>,
  now: string,
): MailText => {
  const letter = createLetter({
    subject: 'Set your password for Forewarn',
    kicker: 'Your account',
    heading: 'Set your password',
    lead: 'Open this link to set your password. It works once.',
    rows: [
      ['Username', username],
      ['Valid until', { at: expiresAt }],
    ],
    link: { path: linkPath(token), words: 'Set your password' },
  });
  return writeLetter(letter, { zone: zone ?? null, now }, dashboardUrl(baseUrl));
};
