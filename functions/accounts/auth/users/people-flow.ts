import { merchantForCaller } from '#accounts/merchants/merchant/merchant-store.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import { sendEmail } from '#core/platform/mail/mail-client.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { canAccessMerchant } from '#core/platform/operation/merchant-access.ts';
import type { Caller, Role } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { linkMail, linkUrl } from './password-link.ts';
import { makeLink } from './password-link-store.ts';
import { newUser, newUserProblem, type User, usernameAtMerchant } from './user.ts';
import { changeUser, findUser, isNew } from './user-store.ts';

/** The reply to the manager who creates a link: the link is shown only once, and mailed if the user has an address. */
export type LinkMade = { setup_url: string; expires_at: string; mailed: boolean };

/** Makes a link and mails it. The link stands whether or not the e-mail goes out. */
const sendLink = async (user: User, baseUrl: string): Promise<LinkMade> => {
  const { token, expiresAt } = await makeLink(user);
  const url = linkUrl(baseUrl, token);
  const mailed = user.email !== '' && (await isMailed(user, { baseUrl, token, expiresAt }));
  return { setup_url: url, expires_at: expiresAt, mailed };
};

const isMailed = async (user: User, link: Parameters<typeof linkMail>[0]): Promise<boolean> => {
  const { username, email } = user;
  try {
    await sendEmail(email, linkMail(link, user, nowIso()));
    return true;
  } catch (error) {
    log('error', 'password_link_not_mailed', { username, error: describeError(error) });
    return false;
  }
};

type NewPerson = { username: string; name: string; role: Role; email?: string | undefined; mid?: number | undefined };

const looksLikeEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

/**
 * Makes a user of the caller's merchant, or of the one an operator names. Operators see all users, so the names that they choose stay as
 * they are. Throws merchant_not_found, username_taken.
 */
export const createPerson = async (
  sent: NewPerson,
  caller: Caller,
  baseUrl: string,
): Promise<LinkMade & { user: User }> => {
  const { name, role, mid = caller.mid } = sent;
  if (mid === undefined) throw new Refusal('request_invalid', 'mid: say which merchant’s user it is');
  const username = caller.scope === 'admin' ? sent.username : usernameAtMerchant(sent.username, mid);
  const problem = newUserProblem(username, 'merchant', mid);
  if (problem) throw new Refusal('request_invalid', `username: ${problem}`);
  await merchantForCaller(mid, caller);
  const email = sent.email ?? (looksLikeEmail(sent.username) ? sent.username : '');
  const user = newUser({ username, scope: 'merchant', mid, role, name, email }, nowIso());
  if (!(await isNew(user))) throw new Refusal('username_taken', 'username: choose another one.');
  return { ...(await sendLink(user, baseUrl)), user };
};

type Changes = {
  name?: string | undefined;
  email?: string | undefined;
  role?: Role | undefined;
  disabled?: boolean | undefined;
  password_link?: true | undefined;
};

/** A user of a merchant whom the caller may see. Throws user_not_found, also for operators. */
const personForCaller = async (username: string, caller: Caller): Promise<User> => {
  const user = await findUser(username);
  if (user?.mid === undefined || user.mid === null || !canAccessMerchant(caller, user.mid)) {
    throw new Refusal('user_not_found', 'username: you have no such user.');
  }
  return user;
};

/** The user as changed at a time (ISO). A new role or being disabled ends their sessions; being disabled also ends their tokens. */
const applyChanges = (user: User, { name, email, role, disabled }: Changes, at: string): User => ({
  ...user,
  name: name ?? user.name,
  email: email ?? user.email,
  role: role ?? user.role,
  disabled: disabled ?? user.disabled,
  ...(role !== undefined && role !== user.role && { sessionsEndedAt: at }),
  ...(disabled && { sessionsEndedAt: at, tokensValidFrom: at }),
});

/** Changes a user, and makes a link for them if asked to. Throws user_not_found, user_is_caller, changed_meanwhile. */
export const updatePerson = async (
  username: string,
  changes: Changes,
  caller: Caller,
  baseUrl: string,
): Promise<{ before: User; user: User; link: LinkMade | null }> => {
  const { before, user } = await retryOnConflict(
    async () => {
      const before = await personForCaller(username, caller);
      const isOwn = before.username === caller.subject;
      if (isOwn && (changes.role !== undefined || changes.disabled !== undefined)) {
        throw new Refusal('user_is_caller', 'role, disabled: you cannot change your own; ask a colleague.');
      }
      return { before, user: await changeUser(before, applyChanges(before, changes, nowIso())) };
    },
    { onExhausted: changedMeanwhile },
  );
  return { before, user, link: changes.password_link ? await sendLink(user, baseUrl) : null };
};
