import { nowIso } from '#core/kernel/clock.ts';
import { open, seal } from '#core/kernel/crypto.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { requireNew } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, tryTransact } from '#core/platform/table/table.ts';
import type { User } from '../users/user.ts';
import { userWrite } from '../users/user-row.ts';
import { findUser } from '../users/user-store.ts';
import {
  afterCode,
  challengeEnd,
  type Factor,
  factorContext,
  factorUri,
  findTotpStep,
  isStillGood,
  recoveryDigest,
  type SignInChallenge,
} from './factor.ts';
import type { Browser } from './known-browser.ts';
import { fromChallengeItem, toChallengeItem } from './session-row.ts';
import { newChallengeId, newFactorSecret, newRecoveryCodes } from './session-secrets.ts';
import { newSession, type Opened } from './session-store.ts';
import { beginAttempt, countFailure, forgetFailures, readAttempt, releaseAttempt } from './sign-in-store.ts';

/** The input for a person's next step: a challenge to answer and, when setting up an app, its secret. */
export type Given = {
  challenge: string;
  expires_at: string;
  /** True if a passkey of the user may be used in place of a code. */
  passkey: boolean;
  setup?: { secret: string; uri: string };
};

const sealFactor = async (username: string, secret: string): Promise<string> =>
  seal(await keyRing('encryption'), factorContext(username), secret);
const openFactor = async (username: string, text: string): Promise<string> =>
  open(await keyRing('encryption'), factorContext(username), text);

/** Asks a user whose password was right for a code or, with `setUp`, to set up an app that makes codes. */
export const giveChallenge = async ({ username, passkeys }: User, { setUp }: { setUp: boolean }): Promise<Given> => {
  const at = nowIso();
  const secret = setUp ? newFactorSecret() : undefined;
  const challenge: SignInChallenge = {
    id: newChallengeId(),
    username,
    expiresAt: challengeEnd(at),
    sealed: secret === undefined ? null : await sealFactor(username, secret),
  };
  await putItem(toChallengeItem(challenge), requireNew);
  return {
    challenge: challenge.id,
    expires_at: challenge.expiresAt,
    passkey: passkeys.length > 0,
    ...(secret !== undefined && { setup: { secret, uri: factorUri(secret, username) } }),
  };
};

const wrongCode = (): Refusal =>
  new Refusal('second_factor_wrong', 'code: is wrong, or was used already.', {
    fields: { code: 'second_factor_wrong' },
  });

/** Uses up a code of a user's factor, for a sign-in of another kind. Throws second_factor_wrong, which counts as a failure. */
export const useCode = async (user: User, factor: Factor, code: string): Promise<void> => {
  const after = afterCode(factor, await openFactor(user.username, factor.sealed), code, nowIso());
  const isUsed = after !== undefined && !(await tryTransact({ user: userWrite(user, { ...user, factor: after }) }));
  if (isUsed) return;
  await countFailure({ username: user.username });
  throw wrongCode();
};

/** The result of answering a challenge; if an app was set up, with the recovery codes, which are shown only this once. */
export type SignInResult = Opened & { recoveryCodes: readonly string[] | null };

/**
 * Answers a challenge with a code: one transaction uses up both and begins the session. Throws session_over if the
 * challenge has expired or was answered before, too_many_attempts, second_factor_wrong.
 */
export const answerSignInChallenge = async (id: string, code: string, browser?: Browser): Promise<SignInResult> => {
  const challenge = fromChallengeItem(await getItem(keys.challenge(id)));
  if (!challenge || nowIso() >= challenge.expiresAt) throw challengeOver();
  const { username } = challenge;
  const attempt = await readAttempt(username, browser);
  await beginAttempt(attempt);
  const user = await findUser(username);
  if (user && !isStillGood(challenge, user)) {
    await releaseAttempt(attempt);
    throw challengeOver();
  }
  const at = nowIso();
  const next = user && !user.disabled ? await factorAfter(user, challenge, code, at) : undefined;
  if (!user || !next) {
    await countFailure(attempt);
    throw wrongCode();
  }
  const session = newSession(user, at);
  const used = { Delete: { Key: keys.challenge(id), ConditionExpression: 'attribute_exists(pk)' } };
  const conflict = await tryTransact({
    user: userWrite(user, next.user),
    challenge: used,
    session: session.write,
  });
  if (conflict) throw challengeOver();
  await forgetFailures(attempt);
  return { ...session, recoveryCodes: next.recoveryCodes };
};

const challengeOver = (): Refusal =>
  new Refusal('session_over', 'challenge: has expired or was answered. Sign in again.', {
    fields: { code: 'session_over' },
  });

/** The user after the code was used; undefined if the code is wrong. */
const factorAfter = async (
  user: User,
  { sealed }: SignInChallenge,
  code: string,
  at: string,
): Promise<{ user: User; recoveryCodes: readonly string[] | null } | undefined> => {
  const { username } = user;
  if (sealed !== null) {
    const lastStep = findTotpStep(await openFactor(username, sealed), code, at);
    if (lastStep === undefined) return undefined;
    const recoveryCodes = newRecoveryCodes();
    const recovery = recoveryCodes.map(recoveryDigest);
    const factor = { sealed, createdAt: at, lastStep, recovery };
    return { user: { ...user, factor, isProgram: false }, recoveryCodes };
  }
  const factor = user.factor && afterCode(user.factor, await openFactor(username, user.factor.sealed), code, at);
  if (factor) return { user: { ...user, factor }, recoveryCodes: null };
  const recovery = user.recovery.filter((one) => one !== recoveryDigest(code));
  return recovery.length < user.recovery.length ? { user: { ...user, recovery }, recoveryCodes: null } : undefined;
};

/** Checks whether a sign-in still waits for the second factor of this user. */
export const challengeIsOpen = async (id: string, user: User): Promise<boolean> => {
  const challenge = fromChallengeItem(await getItem(keys.challenge(id)));
  return challenge?.username === user.username && nowIso() < challenge.expiresAt && isStillGood(challenge, user);
};

/** The user whose sign-in waits for a second factor, if a passkey can be that. Throws session_over. */
export const userOfChallenge = async (id: string): Promise<User> => {
  const challenge = fromChallengeItem(await getItem(keys.challenge(id)));
  const user = challenge && (await findUser(challenge.username));
  if (!user || user.passkeys.length === 0 || !(await challengeIsOpen(id, user))) throw challengeOver();
  return user;
};
