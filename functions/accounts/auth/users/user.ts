import { holdsCardNumber } from '#core/kernel/card/card-numbers.ts';
import type { Role } from '#core/platform/operation/operation.ts';
import type { Passkey } from '../passkeys/passkey.ts';
import type { Factor } from '../sessions/factor.ts';

export type UserScope = 'admin' | 'merchant';

export type User = {
  /** Lower case: spelling it otherwise names the same user. */
  username: string;
  scope: UserScope;
  /** The only merchant a user of scope `merchant` sees; null for an administrator. */
  mid: number | null;
  /** The rights of a merchant's user; null for an administrator, who may do everything. */
  role: Role | null;
  /** The name colleagues know them by; may be empty. */
  name: string;
  /** See `hashPassword`; empty until one is set: no password matches that. */
  passwordHash: string;
  disabled: boolean;
  createdAt: string;
  /** Tokens issued before this time (ISO) are refused: it moves when the password changes or the user is disabled. */
  tokensValidFrom: string;
  /** Sessions begun up to this time (ISO) have ended: it moves with the password, the role, and when all are ended. */
  sessionsEndedAt: string | null;
  /** Where links to set a password are sent; may be empty. */
  email: string;
  /** The factor that is needed in addition to the password to sign in with a browser; null: none. */
  factor: Factor | null;
  /** The passkeys with which they may sign in in place of the password, or as the second factor. */
  passkeys: readonly Passkey[];
  /** SHA-256 of the recovery codes that came with the first passkey; those of an app are the factor's own. */
  recovery: readonly string[];
  /**
   * True if it is a program's user: it may get tokens by its password alone where people need a second factor. Who sets up a second factor is
   * a person from then on.
   */
  isProgram: boolean;
  /** The IANA time zone in which they read e-mails; absent: not chosen. */
  zone?: string;
  /** Present if they get one e-mail a day about alerts in place of one for each. */
  digest?: true;
  /** Present if they get the report of each month by e-mail. */
  monthlyReport?: true;
  /** Goes up with every write; a write says which one it saw. */
  version: number;
};

/** Checks whether a user needs a second proof to sign in with a password. */
export const hasSecondFactor = ({ factor, passkeys }: Pick<User, 'factor' | 'passkeys'>): boolean =>
  factor !== null || passkeys.length > 0;

/** A mistake of the person at the command line; the message is a sentence for them. */
export class UserInputError extends Error {
  override readonly name = 'UserInputError';
}

const usernamePattern = /^[a-z0-9][a-z0-9._@+-]{0,99}$/;
const shortestPassword = 12;
const longestPassword = 1024;

/** One spelling for each user. */
export const plainUsername = (username: string): string => username.trim().toLowerCase();

const merchantSuffix = (mid: number): string => `@m${mid}`;

/**
 * The username of a person whom a merchant adds: with the merchant's suffix, so that it can only be taken by the merchant's own users, and
 * the merchant learns nothing of the names of others.
 */
export const usernameAtMerchant = (username: string, mid: number): string => {
  const plain = plainUsername(username);
  return plain.endsWith(merchantSuffix(mid)) ? plain : `${plain}${merchantSuffix(mid)}`;
};

/** Checks whether a name ends with the suffix of another merchant. */
const isNameOfOthers = (username: string, mid: number | null): boolean => {
  const [, owner] = /@m(\d+)$/.exec(plainUsername(username)) ?? [];
  return owner !== undefined && owner !== String(mid);
};

type NewUser = Pick<User, 'username' | 'scope' | 'mid' | 'role' | 'name' | 'email'> & { isProgram?: boolean };

/** A new user at a time (ISO), without a password yet. */
export const newUser = ({ username, scope, mid, role, name, email, isProgram = false }: NewUser, at: string): User => ({
  username: plainUsername(username),
  scope,
  mid,
  role: scope === 'merchant' ? (role ?? 'manager') : null,
  name,
  email,
  passwordHash: '',
  disabled: false,
  createdAt: at,
  tokensValidFrom: at,
  sessionsEndedAt: null,
  factor: null,
  passkeys: [],
  recovery: [],
  isProgram,
  version: 1,
});

/** Why a new user cannot be made like this, as a sentence; undefined if it can. */
export const newUserProblem = (username: string, scope: UserScope, mid: number | null): string | undefined => {
  if (holdsCardNumber(username)) return 'A username must not hold a card number.';
  if (!usernamePattern.test(plainUsername(username))) {
    return 'A username has 1 to 100 letters, digits or . _ @ + - and begins with a letter or digit.';
  }
  if (isNameOfOthers(username, mid)) return 'A username must not end with @m and the number of another merchant.';
  return (scope === 'merchant') !== (mid !== null)
    ? 'A merchant user needs a mid; an administrator has none.'
    : undefined;
};

/** Returns the reason why a name is not allowed, as a sentence; undefined if it is. */
export const nameProblem = (name: string): string | undefined =>
  holdsCardNumber(name) ? 'A name must not hold a card number.' : undefined;

/** Why this cannot be a password, as a sentence; undefined if it can. */
export const passwordProblem = (password: string): string | undefined =>
  password.length >= shortestPassword && password.length <= longestPassword
    ? undefined
    : `A password has ${shortestPassword} to ${longestPassword} characters.`;

/**
 * Checks whether a token that was issued to the user at a time (seconds since 1970, as in a token) may still be used. Tokens from before
 * they had milliseconds count for their whole second.
 */
export const mayUseToken = ({ disabled, tokensValidFrom }: User, issuedAtSeconds: number): boolean =>
  !disabled &&
  (Number.isInteger(issuedAtSeconds)
    ? issuedAtSeconds >= Math.floor(Date.parse(tokensValidFrom) / 1000)
    : Math.round(issuedAtSeconds * 1000) >= Date.parse(tokensValidFrom));
