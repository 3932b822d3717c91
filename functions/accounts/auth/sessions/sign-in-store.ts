import { setTimeout as wait } from 'node:timers/promises';
import { nowIso } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { metric } from '#core/platform/log/log.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { keys } from '#core/platform/table/keys.ts';
import { ConditionFailedError, type Item, type Key, updateItem } from '#core/platform/table/table.ts';
import { verifyPassword } from '../users/password.ts';
import { plainUsername, type User } from '../users/user.ts';
import { findUser } from '../users/user-store.ts';
import { type Browser, isKnownBrowser } from './known-browser.ts';
import { type Attempts, maxFailures, retryAfterSeconds, signInRefusalOf, windowEnd } from './sign-in.ts';

const longestWaits = 100;
const waitMilliseconds = 100;

/** A sign-in attempt. `browserId`: a browser that this user has signed in with before; its attempts are counted separately. */
export type SignInAttempt = { username: string; browserId?: string };

/** Returns the attempt of a browser. Wrong passwords from elsewhere do not lock a browser that the user has signed in with before. */
export const readAttempt = async (username: string, browser: Browser | undefined): Promise<SignInAttempt> =>
  browser?.mark && isKnownBrowser(await keyRing('jwt'), username, browser)
    ? { username, browserId: browser.id }
    : { username };

/**
 * Counts a try of something else that anyone may call, by its subject; at most so many in 15 minutes. Throws too_many_attempts.
 */
export const countTry = async (subject: string, most: number): Promise<void> => {
  const full = await countAttempt(keys.signInFailures(sha256(subject)), most);
  if (full) throw tooMany(full);
};

const failuresKey = ({ username, browserId }: SignInAttempt) =>
  keys.signInFailures(sha256(`${plainUsername(username)}${browserId === undefined ? '' : ` ${browserId}`}`));

/**
 * Counts an attempt to sign in before it is made. Throws too_many_attempts once five have failed within 15 minutes; while
 * five are still being checked, it waits a moment for them: they may all be right.
 */
export const beginAttempt = async (attempt: SignInAttempt): Promise<void> => {
  for (let waits = 0; ; waits += 1) {
    const present = await countAttempt(failuresKey(attempt), maxFailures);
    if (!present) return;
    if (signInRefusalOf(present) === 'failed' || waits >= longestWaits) throw tooMany(present);
    await wait(waitMilliseconds);
  }
};

/** Remembers that the attempt failed; tells the operators if it is the one that locks the username. */
export const countFailure = async (attempt: SignInAttempt): Promise<void> => {
  const at = nowIso();
  const { failures } = await updateItem({
    Key: failuresKey(attempt),
    // A success in between has emptied the row; this failure then begins a new count.
    UpdateExpression:
      'SET entity = :entity, attempts = if_not_exists(attempts, :one), windowEndsAt = if_not_exists(windowEndsAt, :end), #ttl = if_not_exists(#ttl, :ttl) ADD failures :one',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ...freshWindow(at), ':one': 1 },
  });
  if (failures === maxFailures) metric('SignInLockouts', 1, 'Count');
};

/** The attempt is over, but neither succeeded nor failed yet: the password was right, and a code is still to come. */
export const releaseAttempt = async (attempt: SignInAttempt): Promise<void> => {
  await updateItem({
    Key: failuresKey(attempt),
    UpdateExpression: 'ADD attempts :less',
    ConditionExpression: 'attempts > :zero',
    ExpressionAttributeValues: { ':less': -1, ':zero': 0 },
  }).catch((error: unknown) => {
    // A success in between has emptied the row; there is then nothing to undo.
    if (!(error instanceof ConditionFailedError)) throw error;
  });
};

/**
 * The user who has this password. The attempt counts until it is released, or the failures are forgotten. Throws too_many_attempts, and
 * credentials_wrong with the same work and in the same words whether or not there is such a user.
 */
export const userWithPassword = async (attempt: SignInAttempt, password: string): Promise<User> => {
  await beginAttempt(attempt);
  const user = await findUser(attempt.username);
  const isRight = await verifyPassword(password, user?.passwordHash || undefined);
  if (user && isRight && !user.disabled) return user;
  await countFailure(attempt);
  throw new Refusal('credentials_wrong');
};

/** Forgets the failures: the right password was given. */
export const forgetFailures = async (attempt: SignInAttempt): Promise<void> => {
  await updateItem({
    Key: failuresKey(attempt),
    UpdateExpression: 'REMOVE windowEndsAt, attempts, failures',
  });
};

/** Counts one more attempt; returns the current count, unchanged, if no more are allowed. */
const countAttempt = async (Key: Key, most: number): Promise<Attempts | undefined> => {
  const at = nowIso();
  const inWindow = {
    Key,
    UpdateExpression: 'ADD attempts :one',
    ConditionExpression: 'windowEndsAt > :at AND attempts < :most',
    ExpressionAttributeValues: { ':one': 1, ':at': at, ':most': most },
  };
  const newWindow = {
    Key,
    UpdateExpression: 'SET entity = :entity, attempts = :one, failures = :zero, windowEndsAt = :end, #ttl = :ttl',
    ConditionExpression: 'attribute_not_exists(windowEndsAt) OR windowEndsAt <= :at',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ...freshWindow(at), ':one': 1, ':zero': 0, ':at': at },
  };
  // Most users have no row: a new window is the common case.
  const refused = await tryUpdate(newWindow);
  if (!refused) return undefined;
  const full = await tryUpdate(inWindow);
  return full && readAttempts(full, at);
};

/** Tries an update; returns the item that failed its condition, or nothing if it succeeded. */
const tryUpdate = async (update: Parameters<typeof updateItem>[0]): Promise<Item | undefined> => {
  try {
    await updateItem(update);
    return undefined;
  } catch (error) {
    if (error instanceof ConditionFailedError) return error.item ?? {};
    throw error;
  }
};

const freshWindow = (at: string) => {
  const end = windowEnd(at);
  return { ':entity': 'SIGN_IN_FAILURES', ':end': end, ':ttl': Math.ceil(Date.parse(end) / 1000) };
};

const readAttempts = ({ attempts, failures, windowEndsAt }: Item, at: string): Attempts => ({
  attempts: Number(attempts ?? 0),
  failures: Number(failures ?? 0),
  windowEndsAt: typeof windowEndsAt === 'string' ? windowEndsAt : at,
});

const tooMany = (present: Attempts): Refusal => {
  const seconds = retryAfterSeconds(present, nowIso());
  return new Refusal('too_many_attempts', `Try again in ${seconds} seconds.`, {
    headers: { 'retry-after': String(seconds) },
  });
};
