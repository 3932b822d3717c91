import { iso, milliseconds, now, nowIso } from '#core/kernel/clock.ts';
import { tokenWanted } from '#core/platform/http/access.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { keys } from '#core/platform/table/keys.ts';
import { ConditionFailedError, getItems, putItem, updateItem } from '#core/platform/table/table.ts';
import { type ApiKey, isUseRecorded } from '../api-keys/api-key.ts';
import { findApiKey, recordApiKeyUse } from '../api-keys/api-key-store.ts';
import { freshSignInMilliseconds, mayUseSession, sessionEnd } from '../sessions/session.ts';
import { fromSessionItem } from '../sessions/session-row.ts';
import { mayUseToken, type User, UserInputError } from '../users/user.ts';
import { fromUserItem } from '../users/user-row.ts';
import { findUser } from '../users/user-store.ts';
import { issueToken, readToken } from './token.ts';
import { fromTokenItem, type LongLivedToken, toTokenItem } from './token-row.ts';

/**
 * The holder of a token. `freshUntil`: until when (ISO) their password counts as fresh; a program's from when it got the token. `signedInAt`:
 * when (ISO) their session began, or a program got the token.
 */
export type Holder = { user: User; freshUntil: string; signedInAt: string; isProgram: boolean };

/** A program that calls with an API key. */
export type KeyHolder = { key: ApiKey };

/** Why a token is refused, in words that its holder can act on; `keyUnknown`: it may be of a key that is new, so ask again. */
export type TokenRefusal = {
  code: 'unauthenticated' | 'token_expired' | 'token_revoked';
  details: string;
  keyUnknown?: boolean;
};

const revokedToken = (details: string): TokenRefusal => ({ code: 'token_revoked', details });

const unread: Readonly<Record<'foreign' | 'key_unknown', TokenRefusal>> = {
  foreign: { code: 'unauthenticated', details: 'This is not a valid token: it was cut off, or changed on the way.' },
  key_unknown: { code: 'unauthenticated', details: tokenWanted, keyUnknown: true },
};

/**
 * Returns the holder of a token, or the reason of its refusal. A token that Forewarn has not signed is refused without any detail about it.
 */
export const findHolder = async (token: string): Promise<Holder | TokenRefusal> => {
  const at = now();
  const read = await readToken(await keyRing('jwt'), token, at);
  if (read.kind === 'expired')
    return { code: 'token_expired', details: `It expired at ${read.endedAt}; the time here is ${at.toISOString()}.` };
  if (read.kind !== 'valid') return unread[read.kind];
  const { claims } = read;
  const { session: sessionId } = claims;
  const [userItem, tokenItem, sessionItem] = await getItems([
    keys.user(claims.username),
    keys.token(claims.jti),
    ...(sessionId === undefined ? [] : [keys.session(sessionId)]),
  ]);
  const user = fromUserItem(userItem);
  const revokedAt = fromTokenItem(tokenItem)?.revokedAt;
  if (revokedAt) return revokedToken(`It was revoked at ${revokedAt}.`);
  if (!user || !mayUseToken(user, claims.issuedAtSeconds))
    return revokedToken('The user was disabled, or the password was changed, after it was issued: sign in again.');
  if (sessionId === undefined) {
    const issuedAt = claims.issuedAtSeconds * 1000;
    const [signedInAt, freshUntil] = [iso(issuedAt), iso(issuedAt + freshSignInMilliseconds)];
    return { user, freshUntil, signedInAt, isProgram: true };
  }
  const session = fromSessionItem(sessionItem);
  if (session?.person.username !== user.username || !mayUseSession(user, session) || nowIso() >= sessionEnd(session))
    return revokedToken('Its session has ended: sign in again.');
  return { user, freshUntil: session.freshUntil, signedInAt: session.createdAt, isProgram: false };
};

/**
 * Returns the key that a caller sent, or the reason of its refusal. A key that was not issued here is refused without any detail about it.
 */
export const findKeyHolder = async (sent: { id: number; secret: string }): Promise<KeyHolder | TokenRefusal> => {
  const key = await findApiKey(sent);
  const at = nowIso();
  if (!key) return { code: 'unauthenticated', details: 'This is not a valid API key.' };
  if (key.revokedAt !== null) return revokedToken(`The API key was revoked at ${key.revokedAt}.`);
  if (key.expiresAt !== null && at >= key.expiresAt)
    return { code: 'token_expired', details: `The API key expired at ${key.expiresAt}; the time here is ${at}.` };
  if (!isUseRecorded(key, at)) await recordApiKeyUse(key, at);
  return { key };
};

/** The longest lifetime of an administrator's token: it allows everything. */
export const maxAdminDays = 90;

/** Issues a token that is valid for days rather than an hour, and can be revoked. Throws UserInputError. */
export const issueLongLivedToken = async (
  username: string,
  days: number,
): Promise<{ token: string; row: LongLivedToken }> => {
  const user = await findUser(username);
  if (!user) throw new UserInputError(`There is no user ${username}.`);
  if (user.scope === 'admin' && days > maxAdminDays) {
    throw new UserInputError(`An administrator's token is valid for at most ${maxAdminDays} days.`);
  }
  if (user.disabled) throw new UserInputError(`The user ${user.username} is disabled.`);
  const issued = await issueToken(await keyRing('jwt'), user, now(), (days * milliseconds.day) / 1000);
  const row: LongLivedToken = {
    jti: issued.jti,
    username: user.username,
    issuedAt: iso(Math.round(issued.issuedAtSeconds * 1000)),
    expiresAt: iso(issued.expiresAtSeconds * 1000),
    revokedAt: null,
  };
  await putItem(toTokenItem(row));
  return { token: issued.token, row };
};

/** Revokes a long-lived token; doing so again is harmless. Throws UserInputError if there is none with this jti. */
export const revokeToken = async (jti: string): Promise<LongLivedToken> => {
  const changed = await updateItem({
    Key: keys.token(jti),
    UpdateExpression: 'SET #token.revokedAt = :at',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#token': 'token' },
    ExpressionAttributeValues: { ':at': nowIso() },
  }).catch((error: unknown) => {
    if (error instanceof ConditionFailedError) throw new UserInputError(`There is no long-lived token ${jti}.`);
    throw error;
  });
  const row = fromTokenItem(changed);
  if (!row) throw new Error('The table answered no token after a change');
  return row;
};
