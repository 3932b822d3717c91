import { iso, nowIso } from '#core/kernel/clock.ts';
import type { CallOrigin } from '#core/platform/audit/audit.ts';
import { ownChangeWrites } from '#core/platform/audit/audit-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Role } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, tryTransact } from '#core/platform/table/table.ts';
import { newSession, type Opened } from '../sessions/session-store.ts';
import { newUser, newUserProblem, type User, usernameAtMerchant } from '../users/user.ts';
import { toUserItem, userWrite } from '../users/user-row.ts';
import { findUser } from '../users/user-store.ts';
import { identityDigest, personProblem, roleOfPerson, type SingleSignOn, type SsoPerson } from './single-sign-on.ts';
import { fromSsoIdentityItem, ssoIdentityWrite } from './single-sign-on-row.ts';

const ssoRefusal = (details: string): Refusal =>
  new Refusal('sso_refused', details, { fields: { code: 'sso_refused' } });

/**
 * Begins a session for a person whom the merchant's identity provider has named: as the user they had, as a user that is linked by its
 * address where the settings allow that, or as a new one. Their groups decide the role each time. A user who is created, linked or given
 * another role is audited, and the managers are notified. Throws sso_refused.
 */
export const openSsoSession = async (settings: SingleSignOn, person: SsoPerson, from: CallOrigin): Promise<Opened> => {
  const digest = identityDigest(settings, person.subject);
  const known = fromSsoIdentityItem(await getItem(keys.ssoIdentity(digest)));
  const problem = personProblem(settings, person, known !== undefined);
  const role = roleOfPerson(settings, person);
  if (problem !== undefined) throw ssoRefusal(problem);
  if (role === null) throw ssoRefusal('None of your groups has a role here. Ask a manager of your merchant.');
  const at = nowIso();
  const before = known ? await findUser(known.username) : await findUserToLink(settings, person);
  if (before) checkOwner(settings, before, known !== undefined);
  const after = before ? withRole(before, role, at) : userOfPerson(settings, person, role, at);
  const session = newSession(after, at, person.authenticatedAt);
  const change = changeOf(settings.mid, before, after, known !== undefined);
  const conflict = await tryTransact({
    user: before
      ? userWrite(before, after)
      : { Put: { Item: toUserItem(after), ConditionExpression: 'attribute_not_exists(pk)' } },
    identity: ssoIdentityWrite(digest, after.username),
    session: session.write,
    ...(change && ownChangeWrites(change, from)),
  });
  if (conflict) throw ssoRefusal('Another sign-in changed this user at the same time. Try again.');
  return session;
};

/** The merchant's user with the person's address as username. Other merchants' users are as good as absent: they must not be detected. */
const findUserToLink = async ({ mid }: SingleSignOn, { email }: SsoPerson): Promise<User | undefined> => {
  const own = await findUser(usernameAtMerchant(email, mid));
  const earlier = own ? undefined : await findUser(email);
  return own ?? (earlier?.mid === mid ? earlier : undefined);
};

/** A user who has meanwhile come to another merchant is not this one's, and a local user only where the settings say so. */
const checkOwner = ({ mid, linkByEmail }: SingleSignOn, user: User, isKnown: boolean): void => {
  if (user.mid !== mid || user.scope !== 'merchant') throw ssoRefusal('This username is not available here.');
  if (user.disabled) throw ssoRefusal('Your user was disabled. Ask a manager of your merchant.');
  if (!isKnown && !linkByEmail) {
    throw ssoRefusal('A user with your e-mail address exists already. Ask a manager to have it linked.');
  }
};

/** The change for the audit log and the notice to the managers; undefined if the user stays as they were. */
const changeOf = (mid: number, before: User | undefined, after: User, isKnown: boolean) => {
  const { username, role } = after;
  const change = { operation: 'auth/finish-single-sign-on', mid, username };
  if (!before) return { ...change, summary: `Single sign-on created a user with the role ${role}`, fields: ['role'] };
  if (before.role !== role)
    return { ...change, summary: `Single sign-on changed a role from ${before.role} to ${role}`, fields: ['role'] };
  return isKnown ? undefined : { ...change, summary: 'Single sign-on linked an existing user', fields: [] };
};

/** Sessions with another role end; the one that begins now does not. */
const withRole = (user: User, role: Role, at: string): User => ({
  ...user,
  role,
  ...(user.role !== role && { sessionsEndedAt: iso(Date.parse(at) - 1) }),
});

const userOfPerson = ({ mid }: SingleSignOn, { email, name }: SsoPerson, role: Role, at: string): User => {
  const username = usernameAtMerchant(email, mid);
  const problem = newUserProblem(username, 'merchant', mid);
  if (problem !== undefined) throw ssoRefusal(problem);
  return newUser({ username, scope: 'merchant', mid, role, name: name.slice(0, 100), email }, at);
};
