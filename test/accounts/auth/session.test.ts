import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as authorizer } from '#accounts/auth/jobs/authorizer/handler.ts';
import { fromSessionItem } from '#accounts/auth/sessions/session-row.ts';
import { changePassword, createUser, setDisabled, setRole } from '#accounts/auth/users/user-store.ts';
import { milliseconds, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { cookieIn, fromPage, ownPage } from '#test/support/browser-session.ts';
import { ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();

const start = Date.UTC(2026, 4, 2, 10);
let time = start;
const pass = (span: number) => {
  time += span;
};
beforeEach(() => {
  time = start;
  setClock(() => time);
});
afterEach(() => setClock());

const password = 'correct horse battery';
type Session = { access_token: string; expires_in: number; fresh_until: string; user: object };

const signIn = (username: string, given = password, cookie?: string) =>
  fromPage('auth/create-session', { username, password: given }, cookie);
const refresh = (cookie: string) => fromPage('auth/refresh-session', {}, cookie);
const tokenIn = ({ body }: { body: unknown }) => (body as Session).access_token;
const authorize = (token: string) =>
  authorizer({
    type: 'TOKEN',
    authorizationToken: `Bearer ${token}`,
    methodArn: 'arn:aws:execute-api:eu-west-1:123456789012:abcdef1234/dev/POST/api/v3/site/list',
  });
const isAuthorized = (token: string) =>
  authorize(token).then(
    ({
      policyDocument: {
        Statement: [statement],
      },
    }) => statement?.Effect === 'Allow',
  );
/** Signs in a new user, by a name of their own. */
const signedIn = async (username: string) => {
  await createUser({ username, password, scope: 'merchant', mid: 7, role: 'analyst', name: 'Ann' });
  pass(1000);
  const answer = await signIn(username);
  return { answer, cookie: cookieIn(answer), token: tokenIn(answer) };
};
const over = { status: 401, body: { msg: 'The session has ended', code: 'session_over' } };

describe('POST /api/v3/session/create', () => {
  it('gives a token for a quarter of an hour, and a cookie that scripts cannot read and other sites cannot send', async () => {
    const { answer, token } = await signedIn('ann');
    expect(answer).toMatchObject({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        expires_in: 900,
        fresh_until: '2026-05-02T10:15:01.000Z',
        user: { username: 'ann', scope: 'merchant', mid: 7, role: 'analyst', name: 'Ann' },
      },
    });
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-forewarn-session=[0-9a-z]{26}\.[\w-]{43}\.[0-9a-f]{32}; HttpOnly; Secure; SameSite=Strict; Path=\/; Max-Age=7776000$/,
    );
    expect((await authorize(token)).context).toEqual({
      scope: 'merchant',
      subject: 'ann',
      mid: '7',
      role: 'analyst',
      freshUntil: '2026-05-02T10:15:01.000Z',
      signedInAt: '2026-05-02T10:00:01.000Z',
    });
  });

  it('keeps of the cookie’s secret a digest only', async () => {
    const { cookie } = await signedIn('digest');
    const [id = '', secret = ''] = cookie.split('.');
    expect(JSON.stringify(await getItem(keys.session(id)))).not.toContain(secret);
  });

  it('counts failures together with gettoken', async () => {
    await createUser({ username: 'both', password, scope: 'admin' });
    for (let n = 0; n < 3; n += 1) expect(await signIn('both', 'wrong')).toMatchObject({ status: 401 });
    for (let n = 0; n < 2; n += 1) {
      await ask('auth/get-token', { as: 'nobody', body: { username: 'both', password: 'wrong' } });
    }
    expect(await signIn('both')).toMatchObject({ status: 429, headers: { 'retry-after': '900' } });
    expect(await signIn('nobody-at-all', 'wrong')).toEqual({
      ...(await signIn('both-2', 'wrong')),
    });
  });

  it('ends the session that the browser had', async () => {
    const { cookie, token } = await signedIn('again');
    const answer = await signIn('again', password, cookie);
    expect(answer).toMatchObject({ status: 200 });
    expect(await refresh(cookie)).toMatchObject(over);
    expect(await isAuthorized(token)).toBe(false);
    expect(await isAuthorized(tokenIn(answer))).toBe(true);
  });

  it('leaves alone the session of a cookie whose secret is wrong', async () => {
    const { cookie } = await signedIn('stays');
    const forged = `${cookie.split('.')[0]}.${'A'.repeat(43)}`;
    expect(await signIn('stays', password, forged)).toMatchObject({ status: 200 });
    expect(await refresh(cookie)).toMatchObject({ status: 200 });
  });
});

describe('what another site makes a browser send', () => {
  const operations = ['auth/create-session', 'auth/refresh-session', 'auth/end-session', 'auth/answer-factor'];
  const body = { username: 'x', password: 'x', challenge: 'x', code: 'x' };
  const refused = { status: 403, body: { msg: 'The request comes from another site', code: 'cross_site' } };

  it.each(operations)('is refused by %s', async (operation) => {
    const send = (headers: Record<string, string>) => ask(operation, { as: 'nobody', body, headers });
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site', origin: 'https://localhost' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { ...ownPage, 'content-type': 'text/plain' },
      { ...ownPage, 'content-type': 'application/x-www-form-urlencoded' },
      { ...ownPage, 'content-type': '' },
    ]) {
      expect(await send(headers as Record<string, string>), JSON.stringify(headers)).toMatchObject(refused);
    }
    expect(await send({ origin: 'https://localhost' })).not.toMatchObject(refused);
    expect(await send(ownPage)).not.toMatchObject(refused);
  });

  it('is nothing that any other operation looks at: a cookie is no token', async () => {
    const { cookie } = await signedIn('cookie-only');
    const { listUsersOperation: listUsers } = await import('#accounts/auth/api/list-users/operation.ts');
    const headers = { ...ownPage, cookie: `__Host-forewarn-session=${cookie}` };
    expect(await ask(listUsers, { as: 'nobody', body: {}, headers })).toMatchObject({ status: 401 });
  });
});

describe('POST /api/v3/session/refresh', () => {
  it('exchanges the cookie and keeps how fresh the password is, in two calls of the table', async () => {
    const { cookie } = await signedIn('goes-on');
    pass(14 * milliseconds.minute);
    const before = vi.mocked(DynamoDBDocumentClient.prototype.send).mock.calls.length;
    const answer = await refresh(cookie);
    expect(vi.mocked(DynamoDBDocumentClient.prototype.send).mock.calls.length - before).toBe(2);
    expect(answer).toMatchObject({
      status: 200,
      body: { expires_in: 900, fresh_until: '2026-05-02T10:15:01.000Z', user: { username: 'goes-on', name: 'Ann' } },
    });
    expect(cookieIn(answer)).not.toBe(cookie);
    expect(await isAuthorized(tokenIn(answer))).toBe(true);
  });

  it('takes a secret again within ten seconds, for two tabs and answers that are lost', async () => {
    const { cookie } = await signedIn('two-tabs');
    const tabs = await Promise.all([refresh(cookie), refresh(cookie)]);
    expect(tabs.map(({ status }) => status)).toEqual([200, 200]);
    pass(9 * milliseconds.second);
    for (const tab of tabs) expect(await isAuthorized(tokenIn(tab))).toBe(true);
    const statuses = [];
    for (const tab of tabs) statuses.push((await refresh(cookieIn(tab))).status);
    expect(statuses).toEqual([200, 200]);
  });

  it('keeps the session when one secret is sent twelve times within ten seconds', async () => {
    const { cookie } = await signedIn('twelve-tabs');
    const statuses = [];
    for (let calls = 0; calls < 12; calls += 1) statuses.push((await refresh(cookie)).status);
    expect(statuses).toEqual(Array(12).fill(200));
  });

  it('takes what each of several tabs has got within ten seconds, whichever shows it first', async () => {
    const { cookie } = await signedIn('many-tabs');
    const first = await refresh(cookie);
    pass(1000);
    const second = await refresh(cookie);
    pass(8000);
    // The newest first: the one before it is older than what that one is exchanged for.
    expect((await refresh(cookieIn(second))).status).toBe(200);
    expect((await refresh(cookieIn(first))).status).toBe(200);
    pass(10_001);
    expect(await refresh(cookieIn(second))).toMatchObject(over);
  });

  it('reads a session of an earlier release, with the one secret it knew of before', async () => {
    const { cookie } = await signedIn('earlier');
    const answer = await refresh(cookie);
    const key = keys.session(cookie.split('.')[0] ?? '');
    const item = await getItem(key);
    const { retired = [], ...session } = fromSessionItem(item) ?? {};
    await putItem({ ...item, schemaVersion: 1, session: { ...session, digestBefore: retired[0]?.digest } });
    expect((await refresh(cookie)).status).toBe(200);
    expect((await refresh(cookieIn(answer))).status).toBe(200);
  });

  it('ends the session when a secret is shown that was exchanged before: two have it', async () => {
    const { cookie: stolen } = await signedIn('stolen');
    const first = await refresh(stolen);
    pass(10_001);
    expect(await refresh(stolen)).toMatchObject(over);
    expect(await refresh(cookieIn(first))).toMatchObject(over);
    expect(await isAuthorized(tokenIn(first))).toBe(false);
  });

  it.each([
    ['nothing', undefined],
    ['no session', `${'0'.repeat(26)}.${'A'.repeat(43)}`],
    ['no cookie of ours', 'x.y'],
  ])('refuses a cookie that names %s', async (_, cookie) =>
    expect(await fromPage('auth/refresh-session', {}, cookie)).toMatchObject(over),
  );

  it('is refused two hours after the last time, and twelve after the first', async () => {
    const idle = await signedIn('idle');
    pass(2 * milliseconds.hour);
    expect(await refresh(idle.cookie)).toMatchObject(over);
    const busy = await signedIn('busy');
    let cookie = busy.cookie;
    for (let hours = 1.9; hours < 12; hours += 1.9) {
      pass(1.9 * milliseconds.hour);
      const answer = await refresh(cookie);
      expect(answer).toMatchObject({ status: 200 });
      cookie = cookieIn(answer);
    }
    pass(0.6 * milliseconds.hour);
    expect(await refresh(cookie)).toMatchObject(over);
  });

  it('takes its tokens with it when it ends after twelve hours', async () => {
    let { cookie, token } = await signedIn('late');
    for (const minutes of [115, 115, 115, 115, 115, 115, 25]) {
      pass(minutes * milliseconds.minute);
      const answer = await refresh(cookie);
      [cookie, token] = [cookieIn(answer), tokenIn(answer)];
    }
    expect(await isAuthorized(token)).toBe(true);
    // The token itself would be valid for ten minutes more.
    pass(5 * milliseconds.minute);
    expect(await isAuthorized(token)).toBe(false);
  });

  it.each([
    ['is disabled', (name: string) => setDisabled(name, true)],
    ['has another password', (name: string) => changePassword(name, 'another password')],
    ['has another role', (name: string) => setRole(name, 'developer')],
  ])('is refused, and so are its tokens, once the user %s', async (words, change) => {
    const { cookie, token } = await signedIn(words.replaceAll(' ', '-'));
    await change(words.replaceAll(' ', '-'));
    expect(await isAuthorized(token)).toBe(false);
    expect(await refresh(cookie)).toMatchObject(over);
  });

  it('returns 200 to both of two callers who send the same cookie at once', async () => {
    const { cookie } = await signedIn('raced');
    let raced: unknown;
    beforeTransactions(async () => {
      beforeTransactions();
      raced = await refresh(cookie);
    });
    expect(await refresh(cookie)).toMatchObject({ status: 200 });
    expect(raced).toMatchObject({ status: 200 });
  });
});

describe('a browser that a user has signed in with', () => {
  const locked = { status: 429 };
  const lock = async (username: string, cookie?: string) => {
    for (let n = 0; n < 5; n += 1)
      expect(await signIn(username, 'wrong password', cookie)).toMatchObject({ status: 401 });
    expect(await signIn(username, password, cookie)).toMatchObject(locked);
  };

  it('still signs in after wrong passwords from elsewhere have locked the username', async () => {
    const { cookie } = await signedIn('known');
    const left = cookieIn(await fromPage('auth/end-session', {}, cookie));
    await lock('known');
    expect(await signIn('known', password, left)).toMatchObject({ status: 200 });
    // Signing in there does not unlock the username for others.
    expect(await signIn('known')).toMatchObject(locked);
  });

  it('is locked by its own wrong passwords, and locks no other browser', async () => {
    const { cookie } = await signedIn('clumsy');
    await lock('clumsy', cookie);
    expect(await signIn('clumsy')).toMatchObject({ status: 200 });
  });

  it('is known for its own user only, and not by a mark that was made up', async () => {
    const { cookie } = await signedIn('mallory');
    await signedIn('victim');
    await lock('victim');
    const [id, secret] = cookie.split('.');
    for (const other of [cookie, `${id}.${secret}`, `${id}.${secret}.${'0'.repeat(32)}`])
      expect(await signIn('victim', password, other)).toMatchObject(locked);
  });
});

describe('POST /api/v3/session/end', () => {
  it('ends the session and takes its secret out of the cookie; again is harmless', async () => {
    const { cookie, token } = await signedIn('leaves');
    const [id, , mark] = cookie.split('.');
    for (let n = 0; n < 2; n += 1) {
      const answer = await fromPage('auth/end-session', {}, cookie);
      expect(answer).toMatchObject({ status: 200, body: { status: 'ok' } });
      expect(cookieIn(answer)).toBe(`${id}..${mark}`);
      expect(await refresh(cookieIn(answer))).toMatchObject(over);
    }
    const withoutMark = await fromPage('auth/end-session', {}, cookie.slice(0, cookie.lastIndexOf('.')));
    expect(withoutMark.headers['set-cookie']).toMatch(/^__Host-forewarn-session=; .*Max-Age=0$/);
    expect(await refresh(cookie)).toMatchObject(over);
    expect(await isAuthorized(token)).toBe(false);
    expect(await fromPage('auth/end-session', {})).toMatchObject({ status: 200 });
  });

  it('ends all of the user’s sessions where that is asked for, and leaves programs their tokens', async () => {
    const here = await signedIn('everywhere');
    const there = await signIn('everywhere');
    const program = await ask('auth/get-token', { as: 'nobody', body: { username: 'everywhere', password } });
    await fromPage('auth/end-session', { everywhere: true }, here.cookie);
    expect(await refresh(cookieIn(there))).toMatchObject(over);
    expect(await isAuthorized(tokenIn(there))).toBe(false);
    expect(await isAuthorized(tokenIn(program))).toBe(true);
    pass(1);
    expect(await signIn('everywhere')).toMatchObject({ status: 200 });
  });
});

it('does what its operations declare', () => {
  for (const operation of ['auth/refresh-session', 'auth/end-session']) expectDeclared(operation);
});
