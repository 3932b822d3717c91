import { now, nowIso } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { newRow } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, transact, tryTransact, type Write } from '#core/platform/table/table.ts';
import { issueToken } from '../tokens/token.ts';
import type { User } from '../users/user.ts';
import { changeUser, findUser } from '../users/user-store.ts';
import { cookieHeader, type SessionCookie } from './cookie.ts';
import { browserMark } from './known-browser.ts';
import { accessSeconds, beginSession, judgeSecret, replaceSecret, type Session } from './session.ts';
import { exchangeWrite, fromSessionItem, mayUseSessionCheck, toSessionItem } from './session-row.ts';
import { newSessionId, newSessionSecret } from './session-secrets.ts';

/** A session, and the secret that its browser keeps from now on. */
export type Opened = { session: Session; cookie: SessionCookie };

/**
 * A new session of a user, and the part of a transaction that makes it. `at`: ISO; `authenticatedAt`: when the user proved who they are
 * (ISO), null if that is not known.
 */
export const newSession = (user: User, at: string, authenticatedAt: string | null = at): Opened & { write: Write } => {
  const { secret, digest } = newSessionSecret();
  const session = beginSession({ id: newSessionId(), digest, person: user, at, authenticatedAt });
  const write = newRow(toSessionItem(session));
  return { session, cookie: { id: session.id, secret }, write };
};

/** Begins a session of a user whose password was right. */
export const startSession = async (user: User): Promise<Opened> => {
  const { write, ...opened } = newSession(user, nowIso());
  await transact({ session: write });
  return opened;
};

/** Ends the session that a browser had before it signed in again. Only a caller with that session's secret can end it this way. */
export const replaceSession = async (cookie: SessionCookie | undefined, by: Opened): Promise<void> => {
  if (!cookie || cookie.id === by.session.id) return;
  const same = { '#session': 'session', '#digest': 'digest' };
  const Delete = {
    Key: keys.session(cookie.id),
    ConditionExpression: '#session.#digest = :digest',
    ExpressionAttributeNames: same,
    ExpressionAttributeValues: { ':digest': sha256(cookie.secret) },
  };
  // A session that is not this caller's stays.
  await tryTransact({ session: { Delete } });
};

/** The header that gives a browser a session, and marks the browser as one that its user has signed in with. */
export const sessionCookieHeader = async ({ session, cookie }: Opened, baseUrl: string): Promise<string> =>
  cookieHeader(cookie, browserMark(await keyRing('jwt'), session.person.username, cookie.id), baseUrl);

/** The reply to a browser: a token, which it keeps only in memory, and who is signed in. */
export const sessionAnswer = async ({ session: { id, person, freshUntil } }: Opened) => {
  const { token } = await issueToken(await keyRing('jwt'), { ...person, session: id }, now(), accessSeconds);
  return {
    access_token: token,
    expires_in: accessSeconds,
    fresh_until: freshUntil,
    user: person,
  };
};

const over = (): Refusal => new Refusal('session_over', 'Sign in again.', { fields: { code: 'session_over' } });

/**
 * Exchanges the secret of a session for another: one read and one transaction. A secret that was exchanged before ends the
 * session, because two parties then have it; for ten seconds it is accepted, as two tabs may send it at once. Throws session_over.
 */
export const exchangeSecret = async (cookie: SessionCookie | undefined): Promise<Opened> => {
  if (!cookie) throw over();
  const { id, secret } = cookie;
  return retryOnConflict(
    async () => {
      const session = fromSessionItem(await getItem(keys.session(id)));
      const at = nowIso();
      const verdict = session && judgeSecret(session, sha256(secret), at);
      if (verdict === 'stolen') await removeSession(id);
      if (!session || verdict !== 'good') throw over();
      return exchange(session, at);
    },
    { onExhausted: over },
  );
};

/** Throws ConditionFailedError if another call exchanged it at the same moment. */
const exchange = async (session: Session, at: string): Promise<Opened> => {
  const fresh = newSessionSecret();
  const after = replaceSecret(session, fresh.digest, at);
  const conflict = await tryTransact({
    session: exchangeWrite(after, session.digest),
    user: mayUseSessionCheck(session),
  });
  // The user was disabled, changed the password, or ended all sessions.
  if (conflict) throw conflict.on('user') ? over() : conflict;
  return { session: after, cookie: { id: session.id, secret: fresh.secret } };
};

/** Ends a session, if there is one. */
const removeSession = (id: string): Promise<void> => transact({ session: { Delete: { Key: keys.session(id) } } });

/**
 * Ends the session of a cookie, if it is valid; with `everywhere`, all sessions of its user. Tokens of programs stay valid. If there
 * is no such session any more, it does nothing.
 */
export const closeSession = async (cookie: SessionCookie | undefined, everywhere: boolean): Promise<void> => {
  if (!cookie) return;
  const { id, secret } = cookie;
  const session = fromSessionItem(await getItem(keys.session(id)));
  const at = nowIso();
  if (!session || judgeSecret(session, sha256(secret), at) === 'over') return;
  if (everywhere) await endAllSessions(session.person.username, at);
  await removeSession(id);
};

/** Through the whole row, so that the list of users, by which notifications are sent, has the time too. */
const endAllSessions = (username: string, at: string): Promise<void> =>
  retryOnConflict(async () => {
    const user = await findUser(username);
    if (user) await changeUser(user, { ...user, sessionsEndedAt: at });
  });
