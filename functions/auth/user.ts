export type UserScope = 'admin' | 'merchant';

export type User = {
  /** Lower case: spelling it otherwise names the same user. */
  username: string;
  scope: UserScope;
  /** The only merchant a user of scope `merchant` sees; null for an administrator. */
  mid: number | null;
  /** See `hashPassword`. */
  passwordHash: string;
  disabled: boolean;
  createdAt: string;
  /** Tokens issued before this time (ISO) are refused: it moves when the password changes or the user is disabled. */
  tokensValidFrom: string;
};

/** What a person at the command line did wrong; the message is a sentence for them. */
export class UserMistake extends Error {
  override readonly name = 'UserMistake';
}

const usernamePattern = /^[a-z0-9][a-z0-9._@+-]{0,99}$/;
export const shortestPassword = 12;
export const longestPassword = 1024;

/** One spelling for each user. */
export const plainUsername = (username: string): string => username.trim().toLowerCase();

/** Why a new user cannot be made like this, as a sentence; undefined if it can. */
export const newUserProblem = (username: string, password: string, scope: UserScope, mid: number | null) => {
  if (!usernamePattern.test(plainUsername(username))) {
    return 'A username has 1 to 100 letters, digits or . _ @ + - and begins with a letter or digit.';
  }
  if ((scope === 'merchant') !== (mid !== null)) return 'A merchant user needs a mid; an administrator has none.';
  return passwordProblem(password);
};

/** Why this cannot be a password, as a sentence; undefined if it can. */
export const passwordProblem = (password: string): string | undefined =>
  password.length >= shortestPassword && password.length <= longestPassword
    ? undefined
    : `A password has ${shortestPassword} to ${longestPassword} characters.`;

/** Whether a token that was issued to the user at a time (seconds since 1970, as in a token) may still be used. */
export const mayUseToken = ({ disabled, tokensValidFrom }: User, issuedAtSeconds: number): boolean =>
  !disabled && issuedAtSeconds >= Math.floor(Date.parse(tokensValidFrom) / 1000);
