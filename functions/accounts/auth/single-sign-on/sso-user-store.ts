import { iso, nowIso } from '#core/kernel/clock.ts';
import type { CallOrigin } from '#core/platform/audit/audit.ts';
import { ownChangeWrites } from '#core/platform/audit/audit-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Role } from '#core/platform/operation/operation.ts';
import { newRow } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, tryTransact } from '#core/platform/table/table.ts';
import { newSession, type Opened } from '../sessions/session-store.ts';
import { newUser, newUserProblem, type User, type UserScope, usernameAtMerchant } from '../users/user.ts';
import { toUserItem, userWrite } from '../users/user-row.ts';
import { findUser } from '../users/user-store.ts';
import {
  askWhom,
  identityDigest,
  personProblem,
  roleOfPerson,
  type SsoPerson,
  type SsoProvider,
} from './single-sign-on.ts';
import { fromSsoIdentityItem, ssoIdentityWrite } from './single-sign-on-row.ts';

const ssoRefusal = (details: string): Refusal =>
  new Refusal('sso_refused', details, { fields: { code: 'sso_refused' } });

/**
 * Begins a session for a person whom an identity provider has named: as the user they had, as a user that is linked by its address where the
 * settings allow that, or as a new one. Their groups decide the role each time, or whether they are an operator. A user who is created,
 * linked or given another role is audited, and the managers or operators are notified. Throws sso_refused.
 */
export const openSsoSession = async (provider: SsoProvider, person: SsoPerson, from: CallOrigin): Promise<Opened> => {
  const digest = identityDigest(provider, person.subject);
  const known = fromSsoIdentityItem(await getItem(keys.ssoIdentity(digest)));
  const problem = personProblem(provider, person, known !== undefined);
  const given = roleOfPerson(provider, person);
  if (problem !== undefined) throw ssoRefusal(problem);
  if (given === null) throw ssoRefusal(`None of your groups has a role here. ${askWhom(provider)}`);
  const role = provider.mid === null ? null : given;
  const at = nowIso();
  const before = known ? await findUser(known.username) : await findUserToLink(provider, person);
  if (before) checkOwner(provider, before, known !== undefined);
  const after = before ? withRole(before, role, at) : userOfPerson(provider, person, role, at);
  const session = newSession(after, at, person.authenticatedAt);
  const change = toUserChange(before, after, known !== undefined);
  const conflict = await tryTransact({
    user: before ? userWrite(before, after) : newRow(toUserItem(after)),
    identity: ssoIdentityWrite(digest, after.username),
    session: session.write,
    ...(change && ownChangeWrites({ ...change, mid: provider.mid }, from)),
  });
  if (conflict) throw ssoRefusal('Another sign-in changed this user at the same time. Try again.');
  return session;
};

/**
 * The user with the person's address as username. Other merchants' users are as good as absent for a merchant, which must not detect them;
 * operators see all users.
 */
const findUserToLink = async ({ mid }: SsoProvider, { email }: SsoPerson): Promise<User | undefined> => {
  if (mid === null) return findUser(email);
  const own = await findUser(usernameAtMerchant(email, mid));
  const earlier = own ? undefined : await findUser(email);
  return own ?? (earlier?.mid === mid ? earlier : undefined);
};

/** A user of others is never this provider's, and a local user only where the settings say so. */
const checkOwner = (provider: SsoProvider, user: User, isKnown: boolean): void => {
  const { mid, linkByEmail } = provider;
  if (user.mid !== mid || user.scope !== ssoScope(provider)) throw ssoRefusal('This username is not available here.');
  if (user.disabled) throw ssoRefusal(`Your user was disabled. ${askWhom(provider)}`);
  if (!isKnown && !linkByEmail) {
    throw ssoRefusal(`A user with your e-mail address exists already and has to be linked. ${askWhom(provider)}`);
  }
};

const ssoScope = ({ mid }: SsoProvider): UserScope => (mid === null ? 'admin' : 'merchant');

/** The change for the audit log and the notice; undefined if the user stays as they were. */
const toUserChange = (before: User | undefined, after: User, isKnown: boolean) => {
  const { username, role } = after;
  const change = { operation: 'auth/finish-single-sign-on', username };
  const made = role === null ? 'an operator' : `a user with the role ${role}`;
  if (!before) return { ...change, summary: `Single sign-on created ${made}`, fields: ['role'] };
  if (before.role !== role)
    return { ...change, summary: `Single sign-on changed a role from ${before.role} to ${role}`, fields: ['role'] };
  return isKnown ? undefined : { ...change, summary: 'Single sign-on linked an existing user', fields: [] };
};

/** Sessions with another role end; the one that begins now does not. */
const withRole = (user: User, role: Role | null, at: string): User => ({
  ...user,
  role,
  ...(user.role !== role && { sessionsEndedAt: iso(Date.parse(at) - 1) }),
});

const userOfPerson = (provider: SsoProvider, { email, name }: SsoPerson, role: Role | null, at: string): User => {
  const { mid } = provider;
  const scope = ssoScope(provider);
  const username = mid === null ? email : usernameAtMerchant(email, mid);
  const problem = newUserProblem(username, scope, mid);
  if (problem !== undefined) throw ssoRefusal(problem);
  return newUser({ username, scope, mid, role, name: name.slice(0, 100), email }, at);
};
