import { iso, milliseconds } from '#core/kernel/clock.ts';
import { equalSecrets } from '#core/kernel/crypto.ts';
import type { User } from '../users/user.ts';

/** The signed-in user, as a browser sees it. */
export type Person = Pick<User, 'username' | 'scope' | 'mid' | 'role' | 'name'>;

/** A sign-in with a browser. The browser has a secret in a cookie, which changes with every use of it. */
export type Session = {
  id: string;
  /** The user as they were when they signed in; a change to any of these fields ends their sessions. */
  person: Person;
  createdAt: string;
  /** When its secret was last exchanged. */
  usedAt: string;
  /** Until when the sign-in counts as fresh. */
  freshUntil: string;
  /** SHA-256 of the current secret. */
  digest: string;
  /** Digests of the secrets exchanged within the grace period before the last exchange, each with its time (ISO). */
  retired: readonly RetiredSecret[];
};
export type RetiredSecret = { digest: string; at: string };

/** Seconds for which a session's access token is valid; then the cookie is exchanged for another. */
export const accessSeconds = 900;
const idleMilliseconds = 2 * milliseconds.hour;
const wholeMilliseconds = 12 * milliseconds.hour;
/** The time for which a password counts as fresh. */
export const freshSignInMilliseconds = 15 * milliseconds.minute;
/** Two tabs may use a secret at the same moment, and an answer may be lost on its way. */
const graceMilliseconds = 10 * milliseconds.second;
/** More than the tabs that a person reloads at once; each adds about 100 bytes to the session's row until the period is over. */
const maxRetired = 40;

/** The longest time that a session lasts, in seconds. */
export const sessionSeconds = wholeMilliseconds / 1000;

const pickPerson = ({ username, scope, mid, role, name }: Person): Person => ({ username, scope, mid, role, name });

const after = (at: string, lasting: number): string => iso(Date.parse(at) + lasting);

type NewSession = { id: string; digest: string; person: Person; at: string; authenticatedAt?: string | null };

/** The time until which a sign-in is fresh. It is not fresh at all if the time of authentication is unknown. */
const freshEnd = (at: string, authenticatedAt: string | null): string => {
  if (authenticatedAt === null) return at;
  return after(authenticatedAt < at ? authenticatedAt : at, freshSignInMilliseconds);
};

/** A session that begins now (ISO), with the digest of its first secret. */
export const beginSession = ({ id, digest, person, at, authenticatedAt = at }: NewSession): Session => ({
  id,
  person: pickPerson(person),
  createdAt: at,
  usedAt: at,
  freshUntil: freshEnd(at, authenticatedAt),
  digest,
  retired: [],
});

/** When a session ends at the latest, however it is used (ISO). */
export const sessionEnd = ({ createdAt }: Pick<Session, 'createdAt'>): string => after(createdAt, wholeMilliseconds);

/** Checks whether a session is still valid at a time (ISO): for 12 hours at most, and for 2 after its secret was last exchanged. */
const isSessionValid = (session: Pick<Session, 'createdAt' | 'usedAt'>, at: string): boolean =>
  at < sessionEnd(session) && at < after(session.usedAt, idleMilliseconds);

/** Checks whether a user's sessions of this age may still be used: not after the password changed, or all were ended. */
export const mayUseSession = (
  { disabled, sessionsEndedAt }: Pick<User, 'disabled' | 'sessionsEndedAt'>,
  { createdAt }: Pick<Session, 'createdAt'>,
): boolean => !disabled && (sessionsEndedAt === null || createdAt > sessionsEndedAt);

/**
 * The state of a session for a caller who presents this secret, at a time (ISO): `over` if the session has ended; `stolen` if
 * the secret was exchanged before, so that two parties have it; else `good`.
 */
export const judgeSecret = (session: Session, digest: string, at: string): 'good' | 'over' | 'stolen' => {
  if (!isSessionValid(session, at)) return 'over';
  if (equalSecrets(session.digest, digest)) return 'good';
  return inGrace(session.retired, at).some((one) => equalSecrets(one.digest, digest)) ? 'good' : 'stolen';
};

const inGrace = (retired: readonly RetiredSecret[], now: string): readonly RetiredSecret[] =>
  retired.filter(({ at }) => now <= after(at, graceMilliseconds));

/** The session after its secret was exchanged for one with this digest. */
export const replaceSecret = (session: Session, digest: string, at: string): Session => ({
  ...session,
  digest,
  // A holder of the session's secret could make it grow within the grace period.
  retired: [...inGrace(session.retired, at), { digest: session.digest, at }].slice(-maxRetired),
  usedAt: at,
});
