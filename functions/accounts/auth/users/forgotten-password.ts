import { createLetter, type Letter } from '#core/platform/mail/letter.ts';
import words from './forgotten-password-words.json' with { type: 'json' };
import { linkPath } from './password-link.ts';
import type { User } from './user.ts';

/** The e-mail to a person who has forgotten their password. Pure. */

type Words = typeof words.en;
export const mailLanguages = Object.keys(words) as (keyof typeof words)[];
const findWords = (language: string): Words => words[mailLanguages.find((one) => one === language) ?? 'en'];

/** Tries within 15 minutes, for a username and from an address: a company's people may share one. */
export const maxRequests = { username: 3, address: 20 } as const;

type Account = Pick<User, 'disabled' | 'email' | 'isProgram' | 'passwordHash' | 'mid'>;

/**
 * Chooses between a link, the way to the user's identity provider, and nothing. Programs get nothing: a new password would end their tokens.
 * `hasProvider`: their merchant's people sign in at one; operators without a password can only have that of the service.
 */
export const answerForgotten = (user: Account | undefined, hasProvider: boolean): 'link' | 'provider' | 'nothing' => {
  if (!user || user.disabled || user.email === '' || user.isProgram) return 'nothing';
  return user.passwordHash === '' && (user.mid === null || hasProvider) ? 'provider' : 'link';
};

/** The letter with the link, to which the token is added when it is sent. */
export const newPasswordLetter = (username: string, language: string): Letter => {
  const { subject, kicker, heading, lead, button, username: label } = findWords(language);
  return createLetter({
    ...{ subject, kicker, heading, lead, language },
    rows: [[label, username]],
    link: { path: linkPath(''), words: button },
  });
};

/** The letter to a person who has no password here. */
export const singleSignOnLetter = ({ username, mid }: Pick<User, 'username' | 'mid'>, language: string): Letter => {
  const { subject, kicker, ssoHeading: heading, ssoLead: lead, ssoButton, username: label } = findWords(language);
  return createLetter({
    ...{ subject, kicker, heading, lead, language },
    rows: [[label, username]],
    link: { path: `?sso=${mid ?? 'operators'}`, words: ssoButton },
  });
};
