import { iso, milliseconds, now, nowIso } from '../core/clock.ts';
import { keys } from '../core/keys.ts';
import { keyRing } from '../core/secrets.ts';
import { ConditionFailed, getItems, putItem, updateItem } from '../core/table.ts';
import { issueToken, readToken } from './token.ts';
import { fromTokenItem, type LongLivedToken, toTokenItem } from './token-row.ts';
import { mayUseToken, type User, UserMistake } from './user.ts';
import { fromUserItem } from './user-row.ts';
import { findUser } from './user-store.ts';

/** The user whose token this is; undefined if it is none of ours, over, revoked, or its user may not use it any more. */
export const holderOf = async (token: string): Promise<User | undefined> => {
  const claims = await readToken(await keyRing('jwt'), token, now());
  if (!claims) return undefined;
  const [userItem, tokenItem] = await getItems([keys.user(claims.username), keys.token(claims.jti)]);
  const user = fromUserItem(userItem);
  if (!user || !mayUseToken(user, claims.issuedAtSeconds)) return undefined;
  return fromTokenItem(tokenItem)?.revokedAt ? undefined : user;
};

/** Issues a token that is valid for days rather than an hour, and can be revoked. Throws UserMistake. */
export const issueLongLivedToken = async (
  username: string,
  days: number,
): Promise<{ token: string; row: LongLivedToken }> => {
  const user = await findUser(username);
  if (!user) throw new UserMistake(`There is no user ${username}.`);
  if (user.disabled) throw new UserMistake(`The user ${user.username} is disabled.`);
  const issued = await issueToken(await keyRing('jwt'), user, now(), (days * milliseconds.day) / 1000);
  const row: LongLivedToken = {
    jti: issued.jti,
    username: user.username,
    issuedAt: iso(issued.issuedAtSeconds * 1000),
    expiresAt: iso(issued.expiresAtSeconds * 1000),
    revokedAt: null,
  };
  await putItem(toTokenItem(row));
  return { token: issued.token, row };
};

/** Ends a long-lived token before its time; again is harmless. Throws UserMistake if there is none with this jti. */
export const revokeToken = async (jti: string): Promise<LongLivedToken> => {
  const changed = await updateItem({
    Key: keys.token(jti),
    UpdateExpression: 'SET #token.revokedAt = :at',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#token': 'token' },
    ExpressionAttributeValues: { ':at': nowIso() },
  }).catch((error: unknown) => {
    if (error instanceof ConditionFailed) throw new UserMistake(`There is no long-lived token ${jti}.`);
    throw error;
  });
  const row = fromTokenItem(changed);
  if (!row) throw new Error('The table answered no token after a change');
  return row;
};
