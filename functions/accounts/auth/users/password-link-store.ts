import * as v from 'valibot';
import { nowIso } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { newRow, requireNew } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { getItem, type Item, putItem, tryTransact, type Write } from '#core/platform/table/table.ts';
import { newLinkToken } from '../sessions/session-secrets.ts';
import { hashPassword } from './password.ts';
import { isLinkGood, newGivenLink, type PasswordLink } from './password-link.ts';
import { passwordProblem, type User } from './user.ts';
import { userWrite } from './user-row.ts';
import { findUser } from './user-store.ts';

const LinkRow = defineRow<PasswordLink>({
  entity: 'PASSWORD_LINK',
  attribute: 'link',
  schema: v.looseObject({
    digest: v.string(),
    username: v.string(),
    expiresAt: v.string(),
    madeAt: v.exactOptional(v.string()),
    addressDigest: v.exactOptional(v.string()),
  }),
});

/** The part of a transaction that writes a link. */
export const newLinkWrite = (link: PasswordLink): Write => newRow(toLinkItem(link));

const toLinkItem = (link: PasswordLink): Item => ({
  ...keys.passwordLink(link.digest),
  ...LinkRow.stamp,
  link,
  ttl: Math.ceil(Date.parse(link.expiresAt) / 1000),
});

/** Makes a link for a user. Only the digest of its token is stored, so the token is shown only this once. */
export const makeLink = async (user: User): Promise<{ token: string; expiresAt: string }> => {
  const { secret: token, digest } = newLinkToken();
  const link = newGivenLink(digest, user, nowIso());
  await putItem(toLinkItem(link), requireNew);
  return { token, expiresAt: link.expiresAt };
};

const noLink = (): Refusal => new Refusal('password_link_not_found', 'token: ask for another link.');

/** The user whose link this is. Throws password_link_not_found. */
export const userOfLink = async (token: string): Promise<User> => {
  const link = LinkRow.find(await getItem(keys.passwordLink(sha256(token))));
  const user = link && (await findUser(link.username));
  if (!user || !isLinkGood(link, user, nowIso())) throw noLink();
  return user;
};

/** Sets the password of the user whose link this is; their tokens and sessions end, and so does the link. Throws a Refusal. */
export const setPassword = async (token: string, password: string): Promise<User> => {
  const user = await userOfLink(token);
  const problem = passwordProblem(password);
  if (problem) throw new Refusal('request_invalid', `password: ${problem}`);
  const at = nowIso();
  const after = { ...user, passwordHash: await hashPassword(password), tokensValidFrom: at, sessionsEndedAt: at };
  const Key = keys.passwordLink(sha256(token));
  const conflict = await tryTransact({
    user: userWrite(user, after),
    link: { Delete: { Key, ConditionExpression: 'attribute_exists(pk)' } },
  });
  if (conflict) throw noLink();
  return after;
};
