import { Secret, TOTP } from 'otpauth';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';

/** A user's second factor: an app that makes codes from a secret they share with us, and codes for when it is lost. */
export type Factor = {
  /** The secret in base 32, sealed for `factorContext`. */
  sealed: string;
  createdAt: string;
  /** The last time step whose code was used: a code works once. */
  lastStep: number;
  /** SHA-256 of the recovery codes that are left. */
  recovery: readonly string[];
};

/** A sign-in that waits for a code: the password was right. */
export type SignInChallenge = {
  id: string;
  username: string;
  expiresAt: string;
  /** The sealed secret of a factor that this code sets up; null: the user already has one. */
  sealed: string | null;
};

/** Returns the context to which the sealed secret of a user's factor is bound. */
export const factorContext = (username: string): string => `user:${username}:factor`;

const challengeMilliseconds = 5 * milliseconds.minute;
const stepSeconds = 30;
/** Clocks differ: codes of the step before and the step after are accepted too. */
const toleratedSteps = 1;

/** When a challenge given now (ISO) expires. */
export const challengeEnd = (at: string): string => iso(Date.parse(at) + challengeMilliseconds);

/** The current factors of a user. */
type Proven = { factor: Factor | null; passkeys: readonly { createdAt: string }[]; sessionsEndedAt: string | null };

/**
 * Checks whether a challenge is still valid for the user as they are now: not after the password changed or all sessions were ended, nor to
 * set up an app if they have one, or have added a passkey since: the password alone was enough to be given such a challenge.
 */
export const isStillGood = (
  { expiresAt, sealed }: SignInChallenge,
  { factor, passkeys, sessionsEndedAt }: Proven,
): boolean => {
  const isSetupGood = factor === null && passkeys.every(({ createdAt }) => challengeEnd(createdAt) < expiresAt);
  return (sessionsEndedAt === null || expiresAt >= challengeEnd(sessionsEndedAt)) && (sealed === null || isSetupGood);
};

const generator = (secret: string, username = ''): TOTP =>
  new TOTP({ issuer: 'Forewarn', label: username, secret: Secret.fromBase32(secret), period: stepSeconds, digits: 6 });

/** Returns the URI that an app reads from a QR code. */
export const factorUri = (secret: string, username: string): string => generator(secret, username).toString();

/** The time step that a code belongs to, at a time (ISO); undefined if to no accepted step. */
export const findTotpStep = (secret: string, code: string, at: string): number | undefined => {
  const digits = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return undefined;
  const timestamp = Date.parse(at);
  const delta = generator(secret).validate({ token: digits, timestamp, window: toleratedSteps });
  return delta === null ? undefined : Math.floor(timestamp / 1000 / stepSeconds) + delta;
};

/** The stored form of a recovery code, the same for every way of writing the code. */
export const recoveryDigest = (code: string): string => sha256(code.toLowerCase().replaceAll(/[\s-]/g, ''));

/** The factor after a code was used; undefined if the code is wrong or was used before. */
export const afterCode = (factor: Factor, secret: string, code: string, at: string): Factor | undefined => {
  const step = findTotpStep(secret, code, at);
  if (step !== undefined) return step > factor.lastStep ? { ...factor, lastStep: step } : undefined;
  const digest = recoveryDigest(code);
  const recovery = factor.recovery.filter((one) => one !== digest);
  return recovery.length < factor.recovery.length ? { ...factor, recovery } : undefined;
};
